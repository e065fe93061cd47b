<pers.ind> <name.first> Jacques </name.first> <name.last> Chirac </name.last> </pers.ind>
<func.ind> <qualifier> nouveau </qualifier> <kind> ministre </kind> du <org.adm> <name> Budget </name> </org.adm> </func.ind> , <pers.ind> <name.first> François </name.first> <name.last> Baroin </name.last> </pers.ind>
<time.date.rel> <time-modifier> depuis </time-modifier> <amount> <val> plusieurs </val> <unit> mois </unit> </amount> </time.date.rel> , la <org.adm> <loc.adm.nat> <name> Russie </name> </loc.adm.nat> </org.adm>
