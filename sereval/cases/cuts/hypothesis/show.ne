<func.ind> l' <kind> acteur </kind> </func.ind> <pers.ind> <name.first> Benoît </name.first> </pers.ind>
