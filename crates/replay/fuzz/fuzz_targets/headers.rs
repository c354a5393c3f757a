//! Any content of a header under a checksum that holds: it is refused, or valid and written again as the same bytes.

#![no_main]

#[allow(dead_code)]
mod blocks;

use isostep_replay::{Log, LogWriter, WriterOptions};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let mut bytes = blocks::preamble();
    blocks::put(&mut bytes, b"HEAD", 0, 0, data);
    let Ok(log) = Log::from_bytes(bytes.clone()) else { return };
    let header = log.header().clone();
    assert!(header.validate().is_ok());
    let writer = LogWriter::new(Vec::new(), header, WriterOptions::default()).expect("it was read");
    assert_eq!(writer.written_bytes(), bytes.len() as u64);
});
