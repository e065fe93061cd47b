<org> <name> Le Monde </name> </org> paraît
