<noisy> a b </noisy>
