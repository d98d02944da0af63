"""Choice: the visitor's plan, objective and wishes, kept in step with the address bar."""
