<PER> a b </PER> c <LOC> d </LOC> e <ORG> f g </ORG> h i <PER> j </PER>
