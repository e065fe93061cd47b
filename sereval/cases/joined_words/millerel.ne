<SPAT> <LOC> rue du Marché-S.- Honoré </LOC> , <NO> 8 </NO> </SPAT> . 502
