File type = "ooTextFile"
Object class = "TextGrid"

xmin = 0
xmax = 1
