<pers.ind> Jacques </pers.ind> Chirac
