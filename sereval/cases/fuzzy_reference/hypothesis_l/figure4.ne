recevrons <pers.ind> <name.first> Benoît </name.first> <name.last> magie mais l' </name.last> </pers.ind> acteur
