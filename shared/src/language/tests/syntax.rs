//! Tests of the syntax of expressions: none is written yet.
