<PER> a b </PER> c <ORG> d </ORG> e <ORG> f g h </ORG> <LOC> i </LOC> j
