lavorare <LOC>presso</LOC> la <ORG>FIAT SPA</ORG>
