lavorare presso la FIAT SPA
