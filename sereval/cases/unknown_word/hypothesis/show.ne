<pers.ind> Benoît </pers.ind> <name.last> magie </name.last> joue
