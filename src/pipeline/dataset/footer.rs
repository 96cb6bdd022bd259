//! The column orders in the footer of a Parquet file.
//!
//! The library states the order `IEEE_754_TOTAL_ORDER` for floats, and no property of its writer
//! changes that. Readers older than this order, such as Polars 1.43 and DataFusion 50, refuse the
//! whole file. Tables of this program have no NaN, so the minimum and maximum of a column are the
//! same in the order that its type defines, which all readers know. (Zeros differ, but readers of
//! the order of types expect either zero behind either bound.)
//!
//! The orders are the last field of the footer, in the compact protocol of Thrift:
//!
//! ```text
//! ... | order of column 1 | ... | order of column n | 00 | length, 4 bytes | PAR1
//! ```
//!
//! An order has three bytes: its number (`1c` that of the type, `2c` IEEE 754), and the ends `00 00`
//! of an empty struct and of the union around it.
//!
//! Source: `parquet.thrift` of <https://github.com/apache/parquet-format>, `ColumnOrder`.

/// The bytes behind the orders: the end of the footer's struct, its length, and the magic bytes.
const BEHIND: usize = 1 + 4 + 4;

/// The number of the order that a type defines.
const OF_THE_TYPE: u8 = 0x1c;

const IEEE_754: u8 = 0x2c;

/// Puts the order of its type in the place of each column's order, given the end of a file and the
/// number of its columns, those in lists included.
///
/// # Errors
///
/// If the bytes are not those that the library writes.
pub(super) fn order_by_types(end: &mut [u8], columns: usize) -> Result<(), &'static str> {
    let unknown = "the Parquet library writes another footer than expected";
    let orders = 3 * columns + BEHIND;
    let start = end.len().checked_sub(orders).ok_or(unknown)?;
    let (orders, behind) = end[start..].split_at_mut(3 * columns);
    if behind[0] != 0 || !behind.ends_with(b"PAR1") {
        return Err(unknown);
    }
    for order in orders.chunks_exact_mut(3) {
        match order {
            [number @ (OF_THE_TYPE | IEEE_754), 0, 0] => *number = OF_THE_TYPE,
            _ => return Err(unknown),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_footer_is_refused() {
        let sound = *b"..\x2c\0\0\x1c\0\0\0\x09\0\0\0PAR1";
        let mut end = sound;
        assert_eq!(order_by_types(&mut end, 2), Ok(()));
        assert_eq!(&end, b"..\x1c\0\0\x1c\0\0\0\x09\0\0\0PAR1");
        assert!(order_by_types(&mut end, 3).is_err());
        assert!(order_by_types(&mut [], 0).is_err());
        for place in [2, 3, 8, 13] {
            let mut end = sound;
            end[place] ^= 0x40;
            assert!(order_by_types(&mut end, 2).is_err(), "{place}");
        }
    }
}
