<y> a b c </y>
