<pers.ind> Jacques </pers.ind> Chirat
habite Dol
