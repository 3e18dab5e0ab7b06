"""The seam to storage: what the program requests of any index."""
