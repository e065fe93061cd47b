un <pers
.ind> x </pers.ind>
