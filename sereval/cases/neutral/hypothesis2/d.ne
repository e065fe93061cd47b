a <loc> <org> b </org> c d </loc>
