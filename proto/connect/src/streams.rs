//! Standard error, whose reader may go away at any time: what cannot be written then is dropped, and the program works on.

use std::fmt::Display;
use std::io::{self, Write};

/// Standard error, on which no write fails. What the system does not take is lost.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lossy;

impl Write for Lossy {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // A log that nobody can read any more is no reason to stop.
        let _ = io::stderr().write_all(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes a line to standard error in one piece.
pub fn tell(line: impl Display) {
    // No write to it fails.
    let _ = Lossy.write_all(format!("{line}\n").as_bytes());
}
