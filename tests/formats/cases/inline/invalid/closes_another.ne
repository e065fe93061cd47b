<a> un </b>
