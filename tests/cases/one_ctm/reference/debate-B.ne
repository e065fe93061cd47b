à <loc> Lens </loc>
