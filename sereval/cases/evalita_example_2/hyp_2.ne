o <ORG>B</ORG> di calcio
