"""Files, pages and progress: what the rooms share to read and write."""
