<ORG>serie A</ORG> o di calcio
