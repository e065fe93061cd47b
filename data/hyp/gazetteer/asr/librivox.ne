and <pers.ind> <title> mr </title> <name.first> john </name.first> <name.last> guess </name.last> </pers.ind> would have been at leisure to consider how much there might be prickly in his power to do for
he was not an illness those young man
homeless to be rather cold hearted and rather selfish is to the oldest those
had he married a more amiable woman he might have been made still more respectable many watts
he might even have been made the amiable himself
