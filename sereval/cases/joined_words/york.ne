the <LOC> New </LOC> <PER> York </PER> desk
