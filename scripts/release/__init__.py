"""What belongs to a release besides the program."""
