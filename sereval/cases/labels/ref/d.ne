<pers.ind> <name.first> a </name.first> <name.last> b </name.last> </pers.ind> c <loc.adm.town> d </loc.adm.town> <amount> e </amount>
