un
déjà vu
