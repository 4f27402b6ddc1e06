"""Compiles for products that are not there, and says what the compilers made of a program."""
