<noisy> a b </noisy> c <loc> d e </loc> f <org> g </org>
