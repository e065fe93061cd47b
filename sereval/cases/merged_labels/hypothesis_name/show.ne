<func.ind> <name> dubidget </name> </func.ind> 2011
