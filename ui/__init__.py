"""What is shown: one module per page, one per drawing."""
