"""Our IR as LLVM's text, with the checks that native runs need."""
