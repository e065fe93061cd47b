<x> a b </x> c
