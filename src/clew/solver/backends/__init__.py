"""Decision procedures behind one interface: Bitwuzla and Z3; ``registry`` says in which order they are asked."""
