mod agree;
mod generate;
mod print;
mod syntax;
mod values;
