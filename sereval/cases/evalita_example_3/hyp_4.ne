lavorare <ORG>ESSO</ORG> la <ORG>FIAT SPA</ORG>
