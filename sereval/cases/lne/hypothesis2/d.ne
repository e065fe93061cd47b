<y> a </y> <x> b c d </x>
