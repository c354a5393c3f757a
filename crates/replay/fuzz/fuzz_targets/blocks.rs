//! Blocks with checksums that hold, whatever is in them.

/// The bytes before the first block of a log of this build.
pub(crate) fn preamble() -> Vec<u8> {
    let versions = [isostep_replay::FORMAT_VERSION, isostep_step::SIM_VERSION];
    [&b"ISOREPL\0"[..], &versions.map(u32::to_le_bytes).concat()].concat()
}

/// Adds a block of plain content.
pub(crate) fn put(bytes: &mut Vec<u8>, tag: &[u8; 4], tick: u64, ticks: u32, content: &[u8]) {
    put_stored(bytes, tag, [tick, u64::from(ticks)], content.len() as u32, content);
}

/// Adds a block whose content has some other length than what is stored.
pub(crate) fn put_stored(bytes: &mut Vec<u8>, tag: &[u8; 4], [tick, ticks]: [u64; 2], raw: u32, stored: &[u8]) {
    let start = if tag == b"HEAD" { 0 } else { bytes.len() };
    bytes.extend_from_slice(tag);
    for number in [stored.len() as u32, raw, ticks as u32] {
        bytes.extend_from_slice(&number.to_le_bytes());
    }
    bytes.extend_from_slice(&tick.to_le_bytes());
    bytes.extend_from_slice(&crc32fast::hash(stored).to_le_bytes());
    let checksum = crc32fast::hash(&bytes[start..]);
    bytes.extend_from_slice(&checksum.to_le_bytes());
    bytes.extend_from_slice(stored);
}

/// Reads all that a log has.
pub(crate) fn read_all(log: &isostep_replay::Log) {
    for index in 0..log.chunks().len() {
        let Ok(chunk) = log.chunk(index) else { continue };
        for frame in chunk.frames() {
            let _ = (frame.events.commands().len(), frame.events.inputs().iter().map(<[u8]>::len).sum::<usize>());
        }
        let _ = chunk.trace_after(chunk.end_tick() - 1);
    }
    for index in 0..log.keyframes().len() {
        let _ = log.keyframe(index);
    }
}
