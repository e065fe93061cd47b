à Dol
