<noisy> a b </noisy> c d
