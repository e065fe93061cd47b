lavorare presso la <ORG>FIA SPA</ORG>
