<pers.ind> <name.first> Jacques </name.first> <name.last> Chirac </name.last> </pers.ind>
