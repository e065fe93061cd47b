<LOC> r. S. </LOC> Antoine 1 <NO> 6 </NO>
