recevrons
<pers.ind> <name.first> Benoît </name.first> <name.last> Magimel </name.last> </pers.ind>
l' acteur
