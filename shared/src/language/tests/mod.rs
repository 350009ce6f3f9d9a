mod agree;
mod generate;
mod syntax;
