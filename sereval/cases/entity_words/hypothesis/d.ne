at the uh New Newark desk now today
