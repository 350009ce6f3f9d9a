//! Sizes of memory as people type them.

/// The units, longest first, with what they stand for in bytes.
const UNITS: [(&str, u64); 14] = [
    ("kib", 1 << 10),
    ("mib", 1 << 20),
    ("gib", 1 << 30),
    ("tib", 1 << 40),
    ("kb", 1_000),
    ("mb", 1_000_000),
    ("gb", 1_000_000_000),
    ("tb", 1_000_000_000_000),
    ("k", 1 << 10),
    ("m", 1 << 20),
    ("g", 1 << 30),
    ("t", 1 << 40),
    ("b", 1),
    ("", 1),
];

/// What the tables of one slot may take where nothing else is said and there is as much, in bytes.
pub const DEFAULT_MEMORY_BYTES: u64 = 2 << 30;

/// Fewer bytes than these are written with their unit: `64B`. Who writes `--memory 5` has forgotten one.
pub const FEWEST_WITHOUT_UNIT: u64 = 1 << 20;

/// Why a text is no size of memory. As a sentence it says what would be right.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SizeError {
    /// It cannot be read.
    #[error("'{text}' is no size; write for instance 2GiB, 512MB or 1073741824")]
    NoSize {
        /// The text.
        text: String,
    },
    /// It is less than a byte.
    #[error("'{text}' is no memory at all; write for instance 2GiB")]
    Nothing {
        /// The text.
        text: String,
    },
    /// It has no unit and is too little for any table, so a unit was forgotten.
    #[error("'{text}' means {text} bytes, too little for any table; write the unit as well, for instance 2GiB or 512MB")]
    NoUnit {
        /// The text.
        text: String,
    },
    /// It does not fit 64 bits.
    #[error("'{text}' is more than 2^64 bytes; write for instance 2GiB")]
    TooLarge {
        /// The text.
        text: String,
    },
}

/// Reads a size such as `2GiB`, `1.5 GiB`, `512MB` or `1048576`, in bytes. KiB, MiB, GiB, TiB and K, M, G, T are powers of
/// 1024; KB, MB, GB, TB are powers of 1000; capitals do not matter. What a fraction leaves over is cut off. A number without a
/// unit is one of bytes, at least [`FEWEST_WITHOUT_UNIT`] of them.
///
/// # Errors
/// [`SizeError`].
pub fn parse_size(text: &str) -> Result<u64, SizeError> {
    let no_size = || SizeError::NoSize { text: text.to_owned() };
    let too_large = || SizeError::TooLarge { text: text.to_owned() };
    let lower = text.trim().to_ascii_lowercase();
    let (number, unit_bytes) =
        UNITS.iter().find_map(|(unit, bytes)| Some((lower.strip_suffix(unit)?.trim_end(), *bytes))).ok_or_else(no_size)?;
    let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
    let digits = |part: &str| !part.is_empty() && part.len() <= 18 && part.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole) || !digits(fraction) {
        return match number.bytes().all(|byte| byte.is_ascii_digit()) && !number.is_empty() {
            true => Err(too_large()),
            false => Err(no_size()),
        };
    }
    // Both have at most 18 digits, so both fit, and no product below passes 128 bits.
    let part = |digits: &str| digits.parse::<u128>().map_err(|_| no_size());
    let scale = 10u128.pow(fraction.len() as u32);
    let bytes = (part(whole)? * scale + part(fraction)?) * u128::from(unit_bytes) / scale;
    match u64::try_from(bytes) {
        Ok(0) => Err(SizeError::Nothing { text: text.to_owned() }),
        Ok(bytes) if bytes < FEWEST_WITHOUT_UNIT && number == lower => Err(SizeError::NoUnit { text: text.to_owned() }),
        Ok(bytes) => Ok(bytes),
        Err(_) => Err(too_large()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_as_people_write_them() {
        for (text, bytes) in [
            ("2GiB", 2 << 30),
            ("2g", 2 << 30),
            ("1.5 GiB", 3 << 29),
            ("512MB", 512_000_000),
            ("64kib", 65_536),
            ("1048576", 1_048_576),
            (" 7 B ", 7),
            ("5b", 5),
            ("0.5K", 512),
            ("1.999b", 1),
            ("1TiB", 1 << 40),
            ("16777215TiB", 16_777_215 << 40),
        ] {
            assert_eq!(parse_size(text), Ok(bytes), "{text}");
        }
    }

    #[test]
    fn the_default_is_what_it_says() {}

    #[test]
    fn what_is_no_size_is_refused_with_what_would_be_right() {
        for text in [
            "5",
            "1048575",
            "",
            "GiB",
            "-1",
            "two",
            "1e9",
            "1.",
            ".5",
            "1.2.3",
            "2 GiBB",
            "inf",
            "0",
            "0.1",
            "16777216TiB",
            "99999999999999999999",
        ] {
            let sentence = parse_size(text).unwrap_err().to_string();
            assert!(sentence.contains(&format!("'{text}'")) && sentence.contains("2GiB"), "{sentence}");
        }
    }
}
