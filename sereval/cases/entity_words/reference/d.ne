at <org> the <loc> New York </loc> desk </org> today
