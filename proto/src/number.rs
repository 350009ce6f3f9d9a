//! 128-bit numbers on the wire: two halves of 64 bits.

use crate::v1::U128;

impl From<u128> for U128 {
    fn from(number: u128) -> Self {
        // The cast keeps the lower half, which is what `low` is.
        Self { high: (number >> 64) as u64, low: number as u64 }
    }
}

impl From<U128> for u128 {
    fn from(number: U128) -> Self {
        (Self::from(number.high) << 64) | Self::from(number.low)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use prost::Message;

    use super::*;

    proptest! {
        #[test]
        fn a_number_survives_the_wire(number in any::<u128>()) {
            let bytes = U128::from(number).encode_to_vec();
            prop_assert_eq!(u128::from(U128::decode(bytes.as_slice()).unwrap()), number);
        }
    }

    #[test]
    fn the_halves_are_where_the_contract_says() {
        assert_eq!(U128::from(1), U128 { high: 0, low: 1 });
        assert_eq!(U128::from(1 << 64), U128 { high: 1, low: 0 });
        assert_eq!(u128::from(U128 { high: u64::MAX, low: u64::MAX }), u128::MAX);
    }
}
