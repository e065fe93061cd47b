<PER> Balaine (Ch s.) </PER> <ACT> f.plaqué </ACT> , <LOC> Temple </LOC>
