//! Traces, each as what changed since the one before it in the chunk; the first one since an empty one.
//!
//! | bytes | what |
//! |---|---|
//! | | bodies, motions, colliders, joints, impulses of joints; of each of the five: |
//! | 4 | how many items it has; those that it did not have before count as 0 |
//! | 2 | how many sums, likewise |
//! | a bit each | which items changed, the first one the lowest bit of the first byte |
//! | a bit each | which sums changed |
//! | 4 each | hashes of the items that changed |
//! | 1 to 10 each | by how much the sums changed, modulo 2⁶⁴, as [`Source::signed`] takes it |
//! | 16 | hashes of the world, lists, contacts, sleeping contacts, 4 bytes each |

use crate::codec::{Reason, Source, put_signed};
use crate::error::WriteError;
use crate::limits::{MAX_TRACE_ITEMS, MAX_TRACE_SUMS};
use isostep_step::{ColumnTrace, Trace};

/// Adds a trace; `last` is the one before, and then this one.
pub(crate) fn put_trace(bytes: &mut Vec<u8>, trace: &Trace, last: &mut Trace) {
    for (column, last) in trace.columns.iter().zip(&mut last.columns) {
        put_column(bytes, column, last);
    }
    last.others = trace.others;
    for hash in trace.others {
        bytes.extend_from_slice(&hash.to_le_bytes());
    }
}

/// How many bytes a trace takes at the most.
///
/// # Errors
/// If it is longer than readers take.
pub(crate) fn check_trace(trace: &Trace) -> Result<u64, WriteError> {
    let limit = |what, found: usize, max: u32| {
        let (found, max) = (found as u64, u64::from(max));
        if found <= max { Ok(found) } else { Err(WriteError::TooMuch { what, found, max }) }
    };
    let mut bytes = 16;
    for ColumnTrace { items, sums } in &trace.columns {
        let items = limit("items of a column of a trace", items.len(), MAX_TRACE_ITEMS)?;
        let sums = limit("sums of a column of a trace", sums.len(), MAX_TRACE_SUMS)?;
        bytes += 6 + items.div_ceil(8) + sums.div_ceil(8) + 4 * items + 10 * sums;
    }
    Ok(bytes)
}

/// Makes of the trace before the one that comes next.
pub(super) fn take_trace(source: &mut Source<'_>, trace: &mut Trace) -> Result<(), Reason> {
    for column in &mut trace.columns {
        take_column(source, column)?;
    }
    for hash in &mut trace.others {
        *hash = source.u32()?;
    }
    Ok(())
}

fn put_column(bytes: &mut Vec<u8>, column: &ColumnTrace, last: &mut ColumnTrace) {
    last.items.resize(column.items.len(), 0);
    last.sums.resize(column.sums.len(), 0);
    bytes.extend_from_slice(&(column.items.len() as u32).to_le_bytes());
    bytes.extend_from_slice(&(column.sums.len() as u16).to_le_bytes());
    put_changes(bytes, &column.items, &last.items);
    put_changes(bytes, &column.sums, &last.sums);
    for (new, old) in column.items.iter().zip(&mut last.items) {
        if new != old {
            bytes.extend_from_slice(&new.to_le_bytes());
            *old = *new;
        }
    }
    for (new, old) in column.sums.iter().zip(&mut last.sums) {
        if new != old {
            put_signed(bytes, new.wrapping_sub(*old) as i64);
            *old = *new;
        }
    }
}

/// Adds a bit for each number that changed.
fn put_changes<T: PartialEq>(bytes: &mut Vec<u8>, new: &[T], old: &[T]) {
    let start = bytes.len();
    bytes.resize(start + new.len().div_ceil(8), 0);
    for (place, (new, old)) in new.iter().zip(old).enumerate() {
        bytes[start + place / 8] |= u8::from(new != old) << (place % 8);
    }
}

fn take_column(source: &mut Source<'_>, column: &mut ColumnTrace) -> Result<(), Reason> {
    let (items, sums) = (source.u32()?, u32::from(source.u16()?));
    if items > MAX_TRACE_ITEMS || sums > MAX_TRACE_SUMS {
        return Err("a trace is too long");
    }
    let (items, sums) = (items as usize, sums as usize);
    let changed_items = source.bytes(items.div_ceil(8))?;
    let changed_sums = source.bytes(sums.div_ceil(8))?;
    column.items.resize(items, 0);
    column.sums.resize(sums, 0);
    let is_changed = |changed: &[u8], place: usize| changed[place / 8] >> (place % 8) & 1 == 1;
    for (place, item) in column.items.iter_mut().enumerate() {
        if is_changed(changed_items, place) {
            *item = source.u32()?;
        }
    }
    for (place, sum) in column.sums.iter_mut().enumerate() {
        if is_changed(changed_sums, place) {
            *sum = sum.wrapping_add(source.signed()? as u64);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn traces_that_grow_and_shrink_come_back() {
        let column = |items: &[u32], sums: &[u64]| ColumnTrace { items: items.into(), sums: sums.into() };
        let mut traces = vec![Trace::default(); 4];
        traces[1].columns[0] = column(&[1, 2, 3], &[u64::MAX, 5]);
        traces[1].others = [1, 2, 3, 4];
        traces[2].columns[0] = column(&(0..20).collect::<Vec<_>>(), &[3, 5]);
        traces[2].columns[2] = column(&[9], &[1 << 63]);
        traces[2].columns[4] = column(&[0, 8], &[7]);
        traces[3].columns[0] = column(&[7], &[4, 5]);
        let (mut bytes, mut last) = (Vec::new(), Trace::default());
        traces.iter().for_each(|trace| put_trace(&mut bytes, trace, &mut last));
        let (mut source, mut read) = (Source(&bytes), Trace::default());
        for trace in &traces {
            take_trace(&mut source, &mut read).unwrap();
            assert_eq!(read, *trace);
        }
        assert!(source.end().is_ok());
    }

    #[test]
    fn a_column_that_claims_items_without_bytes_for_them_takes_no_memory() {
        let mut bytes = (MAX_TRACE_ITEMS - 1).to_le_bytes().to_vec();
        bytes.extend_from_slice(&[0; 100]);
        let mut trace = Trace::default();
        assert!(take_trace(&mut Source(&bytes), &mut trace).is_err());
        assert_eq!(trace.columns[0].items.capacity(), 0);
    }
}
