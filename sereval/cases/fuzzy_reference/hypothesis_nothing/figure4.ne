recevrons <pers.ind> <name.first> Benoît </name.first> </pers.ind> magie mais l' acteur
