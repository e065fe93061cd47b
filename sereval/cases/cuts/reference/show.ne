<func.ind> l'acteur </func.ind>
<pers.ind> <name.first> Benoît </name.first> </pers.ind>
