use of <time.date.abs> <month> october </month> <day> twenty first </day> </time.date.abs> a cheap or free from <loc.adm.reg> <name> washington </name> </loc.adm.reg>
<time.date.rel> <time-modifier> yesterday </time-modifier> </time.date.rel> the standard of proof to purchase of museum of her <func.coll> <kind> friends </kind> </func.coll> by <amount> <val> twenty four </val> <object> posters </object> </amount> of him
the price is <amount> <val> fifty million </val> <unit> dollars </unit> </amount> for more than <amount> <val> a hundred thousand </val> <unit> square </unit> </amount> miles of land
the treaty was signed in <loc.adm.town> <name> paris </name> </loc.adm.town> with the date of <time.date.abs> <month> april </month> <day> thirtieth </day> </time.date.abs> by <pers.ind> <name.first> robert </name.first> </pers.ind> to to the <func.ind> <kind> american </kind> </func.ind> <func.ind> <kind> minister </kind> </func.ind> to <func.coll> <kind> friends </kind> </func.coll> him by <pers.ind> <name.first> james </name.first> <name.last> monroe </name.last> </pers.ind> the former governor of <pers.ind> <name.last> virginia </name.last> </pers.ind>
<pers.ind> <name.last> napoleon </name.last> </pers.ind> bonaparte the first
snow of the french rid of a huge money for his war with <loc.adm.town> <name> great britain </name> </loc.adm.town>
this <func.ind> <kind> minister </kind> </func.ind> of the treasury had first chance for more
the money will be paid in bonds have <amount> <val> six </val> <unit> percent </unit> </amount> through them to <loc.adm.town> <name> london </name> </loc.adm.town> and <loc.adm.town> <name> amsterdam </name> </loc.adm.town>
as you get from <loc.adm.nat> <name> russia </name> </loc.adm.nat> first first <amount> <val> one </val> </amount> to know more than <loc.adm.town> <name> new orleans </name> </loc.adm.town> at the mouth of the <loc.adm.reg> <name> mississippi river </name> </loc.adm.reg>
deliverance from there to rocky mountains
the national intelligence are free to use on <time.date.abs> <month> july </month> <day> fourth </day> </time.date.abs>
several lists in <loc.adm.town> <name> new england state </name> </loc.adm.town> that the constitution does not allow the purchase
the <func.ind> <kind> secretary </kind> </func.ind> of <loc.adm.town> <name> state james </name> </loc.adm.town> <pers.ind> <name.first> madison </name.first> </pers.ind> says that it was
staying have given the land back to <loc.adm.nat> <name> france </name> </loc.adm.nat> <amount> <val> three </val> <unit> years </unit> </amount> <time.date.rel> <time-modifier> ago </time-modifier> </time.date.rel>
have a very went through this has gone down the <loc.adm.reg> <name> ohio river </name> </loc.adm.reg> to the to the implied in congress has given them <amount> <val> two thousand five hundred </val> <unit> dollars </unit> </amount>
