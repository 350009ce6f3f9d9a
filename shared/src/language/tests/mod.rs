//! Tests of the language of claims.

mod syntax;
