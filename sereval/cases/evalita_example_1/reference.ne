lavorare presso la <ORG>FIAT SPA</ORG>
