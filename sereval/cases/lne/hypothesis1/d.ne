a <y> b c </y>
