the <LOC> Newark </LOC> desk
