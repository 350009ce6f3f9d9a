//! How long a worker waits after failures in a row: doubled each time up to five seconds, and spread at random.

/// The wait after the first failure, in milliseconds.
const BASE_MS: u64 = 250;

/// No wait is longer, in milliseconds.
const CAP_MS: u64 = 5_000;

/// How long to wait after so many failures in a row, in milliseconds: doubled with every failure up to a cap, between half
/// of that and the whole, so that workers that failed together do not come back together.
///
/// `jitter` is any number; its low bits choose.
pub(super) fn backoff_ms(failures: u32, jitter: u64) -> u64 {
    let doublings = failures.saturating_sub(1).min(16);
    let whole = (BASE_MS << doublings).min(CAP_MS);
    let half = whole / 2;
    half + jitter % (whole - half + 1)
}

/// A wait that a coordinator asked for, in milliseconds, kept within bounds: neither a storm of calls nor silence.
pub(super) fn bounded_ms(wait_ms: u64) -> u64 {
    wait_ms.clamp(10, 60_000)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_wait_is_between_half_and_the_whole(failures in any::<u32>(), jitter in any::<u64>()) {
            let wait = backoff_ms(failures, jitter);
            prop_assert!((BASE_MS / 2..=CAP_MS).contains(&wait));
        }
    }

    #[test]
    fn waits_double_up_to_the_cap() {
        let shortest: Vec<u64> = [1, 2, 3, 4, 5, 6, 40].map(|failures| backoff_ms(failures, 0)).to_vec();
        assert_eq!(shortest, [125, 250, 500, 1000, 2000, 2500, 2500]);
    }
}
