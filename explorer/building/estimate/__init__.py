"""What a build will make and need, from a sample."""
