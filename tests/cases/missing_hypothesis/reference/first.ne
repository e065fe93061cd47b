<loc> Dol </loc>
