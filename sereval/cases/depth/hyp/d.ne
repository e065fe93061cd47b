<pers.coll> <name.first> a </name.first> b </pers.coll> c <loc.adm.nat> d </loc.adm.nat> <amount> <val> e </val> </amount>
