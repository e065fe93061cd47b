un <br/> deux
