"""What can be measured about a text from the places where its parts occur: one file per measure."""
