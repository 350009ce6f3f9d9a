//! Tests of the syntax of expressions.
