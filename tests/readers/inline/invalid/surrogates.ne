+2AA-
