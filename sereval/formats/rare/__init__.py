"""Formats that few users have."""
