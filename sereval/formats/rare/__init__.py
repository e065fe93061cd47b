"""Readers of formats that few people have: a reader of the others need not know them."""
