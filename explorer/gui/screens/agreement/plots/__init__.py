"""The plots of agreement."""
