a < b
