dit <pers.ind> « Benoît » , </pers.ind> oui .
