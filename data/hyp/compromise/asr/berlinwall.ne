this is news for <time.date.abs> <day> friday </day> <month> november </month> <day> tenth </day> <year> nineteen eighty nine </year> </time.date.abs>
after <amount> <val> twenty eight </val> <unit> years </unit> </amount> the wall that divides <loc.adm.town> <name> berlin </name> </loc.adm.town> is often
last night <amount> <val> thousands </val> </amount> of east <pers.coll> <demonym> germans </demonym> </pers.coll> across the border into <loc.adm.reg> <name> west berlin </name> </loc.adm.reg>
few hours earlier that develops haven't even a spokesman for the socialist humid too far to have said that <func.coll> <kind> people </kind> </func.coll> were free to travel
the new <func.ind> <kind> leader </kind> </func.ind> of the <loc.adm.reg> <name> east germany </name> </loc.adm.reg> even <func.coll> <kind> friends </kind> </func.coll> to power for a very fond of her last month
and
members of the west german parliament good offensive german national anthem
<func.ind> <kind> chancellor </kind> </func.ind> helmut kohl broke off of this is whoa and and flew from <loc.adm.town> <name> warsaw </name> </loc.adm.town> to <loc.adm.town> <name> berlin </name> </loc.adm.town> with the <func.ind> <kind> minister </kind> </func.ind> of foreign affairs <pers.ind> <name.first> hans </name.first> <name.middle> dietrich </name.middle> <name.last> genscher </name.last> </pers.ind>
the former <func.ind> <kind> chancellor </kind> </func.ind> <pers.ind> <name.first> willy </name.first> </pers.ind> brandt also spoke to the crowd
in <loc.adm.town> <name> moscow </name> </loc.adm.town> <pers.ind> <name.first> mikhail </name.first> <name.last> gorbachev </name.last> </pers.ind> the general <func.ind> <kind> secretary </kind> </func.ind> of the communist party of the soviet union kept out of it
<loc.adm.town> <name> moscow </name> </loc.adm.town> has more than <amount> <val> three hundred thousand </val> <object> soldiers </object> </amount> in <loc.adm.reg> <name> east germany </name> </loc.adm.reg>
in <func.ind> <kind> washington </kind> </func.ind> <func.ind> <kind> president </kind> </func.ind> <pers.ind> <name.first> george </name.first> <name.last> bush </name.last> </pers.ind> told <func.coll> <kind> reporters </kind> </func.coll> that he was very pleased
<loc.adm.reg> <name> west germany </name> </loc.adm.reg> gives every <func.ind> <kind> visitor </kind> </func.ind> <amount> <val> one hundred </val> </amount> marks
the wall was put in <time.date.abs> <month> august </month> <year> nineteen sixty one </year> </time.date.abs> and at least <amount> <val> one hundred </val> <object> people </object> </amount> have died there
