animosity <time.date.abs> <day> saturday </day> <month> august </month> <day> fifteenth </day> <year> nineteen </year> </time.date.abs> forties
<loc.adm.nat> <name> panama </name> </loc.adm.nat> canal is open
<time.date.rel> <time-modifier> today </time-modifier> </time.date.rel> a ship went from the <loc.adm.town> <name> atlantic ocean </name> </loc.adm.town> to the <loc.adm.town> <name> pacific ocean </name> </loc.adm.town> in less than <amount> <val> ten </val> <unit> hours </unit> </amount> with the <func.ind> <kind> president </kind> </func.ind> of the republic of <loc.adm.nat> <name> panama </name> </loc.adm.nat> on board
the canal is about <amount> <val> fifty </val> <unit> miles </unit> </amount> long and it has cost the <loc.adm.nat> <name> united states </name> </loc.adm.nat> and <amount> <val> three hundred seventy five million </val> <unit> dollars </unit> </amount>
the chief <func.ind> <kind> engineer </kind> </func.ind> <func.ind> <kind> colonel </kind> </func.ind> <pers.ind> <name.first> george </name.first> <name.last> washington </name.last> </pers.ind> go full speed watched from the shore
he had taken over from <pers.ind> <name.first> john </name.first> <name.last> stevens </name.last> </pers.ind> in <amount> <val> nineteen of seven </val> </amount>
<func.ind> <kind> dr </kind> </func.ind> well in orders of the <loc.adm.nat> <name> united states </name> </loc.adm.nat> army trolls yellow fever out of the country
the <org.ent> <name> french company </name> </org.ent> had tried once before and the <amount> <val> eighteen </val> <object> eighties </object> </amount> been referred to not to us that
had built the suez canal
some <amount> <val> twenty thousand </val> <object> workers </object> </amount> died and the company failed
the spanish but look for wear a cross in the sixteenth century
in <time.date.abs> <month> november </month> <year> nineteen </year> </time.date.abs> o <amount> <val> three </val> </amount> <loc.adm.nat> <name> panama </name> </loc.adm.nat> broke away from columbia with help from <func.ind> <kind> president </kind> </func.ind> <pers.ind> <name.first> theodore </name.first> <name.last> roosevelt </name.last> </pers.ind>
as <func.ind> <kind> secretary </kind> </func.ind> of <loc.adm.town> <name> state john </name> </loc.adm.town> and signed a treaty and <loc.adm.reg> <name> washington </name> </loc.adm.reg> pay <amount> <val> ten million </val> <unit> dollars </unit> </amount> for a zone <amount> <val> ten </val> <unit> miles </unit> </amount> wide
the canal runs beside the <loc.adm.nat> <name> panama </name> </loc.adm.nat> railroad which opened in <time.date.abs> <year> nineteen fifty five </year> </time.date.abs>
there was no great party for <loc.adm.town> <name> europe </name> </loc.adm.town> when the war <amount> <val> two </val> <unit> weeks </unit> </amount> <time.date.rel> <time-modifier> ago </time-modifier> </time.date.rel>
