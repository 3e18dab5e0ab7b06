"""HTML, XML and electronic books."""
