<LOC> r. S. Antoine </LOC> 1 <NO> 6 </NO>
