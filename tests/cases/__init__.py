"""Builders, small worlds and independent judges that the tests share."""
