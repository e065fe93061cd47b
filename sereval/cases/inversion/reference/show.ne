<a> <b> x y </b> </a>
