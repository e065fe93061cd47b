lavorare presso la <ORG>FIAT</ORG> SPA
