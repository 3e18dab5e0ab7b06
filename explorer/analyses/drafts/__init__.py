"""Drafts: would drafts from the corpus make a model write faster?"""
