<func.ind> <kind> dubidget </kind> </func.ind>
