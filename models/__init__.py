"""What is likely: probability models that turn a snapshot into signals. May look into: data."""
