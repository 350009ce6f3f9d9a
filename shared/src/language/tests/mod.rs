//! Tests of the language: how texts are read and printed, what expressions come to, and that both evaluators agree.

mod agree;
mod board;
mod example;
mod generate;
mod print;
mod shared;
mod syntax;
mod values;
