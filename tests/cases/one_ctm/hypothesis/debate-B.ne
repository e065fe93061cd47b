à lance
