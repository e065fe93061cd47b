<noisy> a </noisy> b c <loc> d </loc> e <noisy> f </noisy> g
