dit euh <pers.ind> Benoît </pers.ind> bah oui
