<ORG>serie</ORG> o <ORG>B</ORG> di calcio
