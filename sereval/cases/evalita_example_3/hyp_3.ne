lavorare presso la FIA SPA
