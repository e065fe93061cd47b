lavorare presso la <PER>FIAT SPA</PER>
