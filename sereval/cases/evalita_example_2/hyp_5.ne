<ORG>serie A</ORG> o <ORG>B</ORG> di i calcio
