"""Counts what binds a program to a vendor: from compiled records, source code and profiles."""
