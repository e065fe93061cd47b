à <loc> Dol </loc>
