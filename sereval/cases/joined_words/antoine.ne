<LOC> r. S.-Antoine </LOC> <NO> 6 </NO>
