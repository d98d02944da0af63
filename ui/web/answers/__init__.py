"""Answers: options, chances, advice and questions as a manager reads them."""
