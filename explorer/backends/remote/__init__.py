"""An index of infini-gram's protocol, on this machine or another, as a backend with fewer capabilities."""
