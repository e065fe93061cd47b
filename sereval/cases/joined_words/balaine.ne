<PER> Balaine (Ches.) </PER> <ACT> f. plaqué </ACT> , <LOC> Temple </LOC>
