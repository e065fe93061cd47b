<ORG>E</ORG> <ORG>serie A</ORG> o <ORG>B</ORG> di calcio
