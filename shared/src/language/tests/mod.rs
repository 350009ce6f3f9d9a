mod agree;
mod example;
mod generate;
mod print;
mod syntax;
mod values;
