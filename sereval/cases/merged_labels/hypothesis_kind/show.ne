<func.ind> <kind> dubidget </kind> </func.ind> 2011
