mod syntax;
