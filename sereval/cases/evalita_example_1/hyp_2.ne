lavorare presso <ORG>la FIAT SPA</ORG>
