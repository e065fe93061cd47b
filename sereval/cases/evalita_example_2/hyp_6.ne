<ORG>serie A</ORG> o <ORG>B</ORG> calcio
