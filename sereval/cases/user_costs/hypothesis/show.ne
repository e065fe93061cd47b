<b> <a> x y </a> </b>
