And <pers.ind> <title> Mister </title> <name.first> John </name.first> <name.last> Dashwood </name.last> </pers.ind> had then leisure to consider how much there might be prudently in his power to do for them
He was not an ill disposed young man
Unless to be rather cold hearted and rather selfish is to be ill disposed
Had he married a more a amiable woman he might have been made still more respectable than he was
He might even have been made amiable himself
