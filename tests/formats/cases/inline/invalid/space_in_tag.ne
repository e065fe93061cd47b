<a> un </a> <pers.ind > x
