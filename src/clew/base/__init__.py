"""What every layer may use and that uses none of ours: errors, locations, budgets, statistics."""
