item [ " ;; @ {"id": B-LOC l' xmin = 0 &lt;/a&gt;
