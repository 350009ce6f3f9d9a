//! Why a value is not worked out.

/// Why a value is not worked out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ValueError {
    /// It takes too long.
    #[error("the value takes more than {limit} steps to work out")]
    Steps {
        /// The most steps.
        limit: u64,
    },
    /// A number out of bounds.
    #[error("a number outside -2^62..2^62, or with a denominator above 2^60")]
    Number,
}
