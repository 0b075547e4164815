"""What a command does, composed from the layers below: the only place that knows them all."""
