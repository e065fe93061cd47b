<func.ind> <title> dubidget </title> </func.ind> 2011
