<PER> Balaine </PER> (Ch s.) <ACT> f.plaqué </ACT> , <LOC> Temple </LOC>
