"""Files, pages and progress: reading and writing that the rooms share."""
