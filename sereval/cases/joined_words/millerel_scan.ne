<SPAT> <LOC> rue du Marché-S.- DD Honore </LOC> , <NO> U </NO> </SPAT> .
