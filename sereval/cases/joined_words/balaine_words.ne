<PER> Balaine (Ch </PER> <ACT> s.) f.plaqué </ACT> , <LOC> Temple </LOC>
