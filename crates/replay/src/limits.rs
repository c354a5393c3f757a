//! What a log may hold at the most. Writers refuse to exceed these, readers refuse what does, before they take memory
//! for it.

/// The most bytes of a whole log: 1 GiB. A writer refuses what would leave no room for the index, so that a log which is
/// full can be finished.
pub const MAX_LOG_BYTES: u64 = 1 << 30;
/// The most bytes of a block when it is not compressed: 64 MiB.
pub const MAX_BLOCK_BYTES: u32 = 1 << 26;
/// The most bytes that one byte of DEFLATE can expand to.
pub const MAX_RATIO: u32 = 1032;
/// The last tick that a log may start from, so that ticks are counted without overflow.
pub const MAX_FIRST_TICK: u64 = 1 << 62;
/// The most ticks of a chunk.
pub const MAX_CHUNK_TICKS: u32 = 4096;
/// The most commands of a chunk, so of a tick.
pub const MAX_CHUNK_COMMANDS: u32 = 1 << 16;
/// The most players.
pub const MAX_PLAYERS: u32 = 64;
/// The most bytes of one player's input in a tick.
pub const MAX_INPUT_BYTES: u32 = 1024;
/// The most bytes of the name of a game.
pub const MAX_GAME_BYTES: u32 = 64;
/// The most bytes of a note.
pub const MAX_NOTE_BYTES: u32 = 4096;
/// The most items of a column of a trace: twice what a world can have.
pub const MAX_TRACE_ITEMS: u32 = 1 << 21;
/// The most sums of a column of a trace.
pub const MAX_TRACE_SUMS: u32 = 1024;
/// The most bytes of the header of a log: 16 KiB.
pub const MAX_HEADER_BYTES: u32 = 1 << 14;
/// The most bytes of one value that bincode decodes: a header or a command.
pub(crate) const MAX_VALUE_BYTES: usize = MAX_HEADER_BYTES as usize;
