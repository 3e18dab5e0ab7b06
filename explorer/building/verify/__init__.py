"""Verification: is a folder what its manifest states, and is its suffix array in order?"""
