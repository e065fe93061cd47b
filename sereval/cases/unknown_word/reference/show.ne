<pers.ind> Benoît <name.last> Magimel </name.last> </pers.ind> joue
