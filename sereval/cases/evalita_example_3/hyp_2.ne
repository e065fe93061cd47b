lavora presso la <ORG>FIAT SPA</ORG>
