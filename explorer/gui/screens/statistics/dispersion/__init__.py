"""The tab of how evenly words are spread over the parts of the index, and where they are in each part."""
