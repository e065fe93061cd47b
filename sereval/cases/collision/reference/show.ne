<func.ind> <kind> du </kind> <name> Budget </name> </func.ind>
