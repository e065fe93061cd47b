recevrons <pers.ind> <name.first> Benoît </name.first> <name.last> magie </name.last> </pers.ind> mais l' acteur
