use of <time.date.abs> <month> october </month> <day> twenty first </day> </time.date.abs> a cheap or free from <loc.adm.reg> <name> washington </name> </loc.adm.reg>
<time.date.rel> <time-modifier> yesterday </time-modifier> </time.date.rel> the standard of proof to purchase of museum of her friends by <amount> <val> twenty four </val> <object> posters </object> </amount> of him
the price is <amount> <val> fifty million </val> <unit> dollars </unit> </amount> for <amount> <qualifier> more than </qualifier> <val> a hundred thousand </val> <unit> square miles </unit> </amount> of land
the <prod.rule> <kind> treaty </kind> </prod.rule> was signed in <loc.adm.town> <name> paris </name> </loc.adm.town> with the date of <time.date.abs> <month> april </month> <day> thirtieth </day> </time.date.abs> by robert to to the american <func.ind> <kind> minister </kind> </func.ind> to friends him by <pers.ind> <name.first> james </name.first> <name.last> monroe </name.last> </pers.ind> the <func.ind> <qualifier> former </qualifier> <kind> governor of </kind> <loc.adm.reg> <name> virginia </name> </loc.adm.reg> </func.ind>
napoleon bonaparte the first
snow of the french rid of a huge money for his war with <loc.adm.nat> <name> great britain </name> </loc.adm.nat>
this <func.ind> <kind> minister of </kind> <org.adm> <name> the treasury </name> </org.adm> </func.ind> had first chance for more
the money will be paid in bonds have <amount> <val> six </val> <unit> percent </unit> </amount> through them to <loc.adm.town> <name> london </name> </loc.adm.town> and <loc.adm.town> <name> amsterdam </name> </loc.adm.town>
as you get from <loc.adm.nat> <name> russia </name> </loc.adm.nat> first first one to know more than <loc.adm.town> <name> new orleans </name> </loc.adm.town> at the mouth of the <loc.phys.hydro> <name> mississippi </name> <kind> river </kind> </loc.phys.hydro>
deliverance from there to <loc.phys.geo> <name> rocky </name> <kind> mountains </kind> </loc.phys.geo>
the national intelligence are free to use on <time.date.abs> <month> july </month> <day> fourth </day> </time.date.abs>
several lists in new <loc.adm.nat> <name> england </name> </loc.adm.nat> state that the <prod.rule> <kind> constitution </kind> </prod.rule> does not allow the purchase
the <func.ind> <kind> secretary of </kind> <org.adm> <name> state </name> </org.adm> </func.ind> <pers.ind> <name.first> james </name.first> <name.last> madison </name.last> </pers.ind> says that it was
staying have given the land back to <loc.adm.nat> <name> france </name> </loc.adm.nat> <time.date.rel> <amount> <val> three </val> <unit> years </unit> </amount> <time-modifier> ago </time-modifier> </time.date.rel>
have a very went through this has gone down the <loc.phys.hydro> <name> ohio </name> <kind> river </kind> </loc.phys.hydro> to the to the implied in <org.adm> <kind> congress </kind> </org.adm> has given them <amount> <val> two thousand five hundred </val> <unit> dollars </unit> </amount>
