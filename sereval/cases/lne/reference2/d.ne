<x> a b c d </x>
