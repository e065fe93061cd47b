recevrons <pers.ind> <name.first> Benoît </name.first> <name.last> magie mais </name.last> </pers.ind> l' acteur
