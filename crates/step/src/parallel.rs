//! Work of one step on several threads (feature `parallel`): those of the rayon pool that the caller is in, or else of
//! the global one.
//!
//! What is done in parallel comes in stages of chunks. Chunks of a stage touch different memory, so it does not matter
//! who does them, nor when; those of different stages that touch the same follow each other. Nothing is summed up across
//! chunks, and where results are listed, they are listed by the numbers of the chunks. So every bit is the same for any
//! number of threads.
//!
//! [`Crew`] leads threads through the stages; `flow` says which chunk waits for which; `shared` has the memory that they
//! share, and says what makes that sound. Without the feature a crew is the caller alone.

#[cfg(not(feature = "parallel"))]
mod alone;
#[cfg(feature = "parallel")]
mod chunks;
#[cfg(feature = "parallel")]
mod crew;
#[cfg(feature = "parallel")]
mod flow;
#[cfg(feature = "parallel")]
mod shared;

#[cfg(not(feature = "parallel"))]
pub(crate) use alone::Crew;
#[cfg(feature = "parallel")]
pub(crate) use crew::Crew;
#[cfg(feature = "parallel")]
pub(crate) use flow::{Chunk, Flow, Job, MOST_COLUMNS};
#[cfg(feature = "parallel")]
pub(crate) use shared::{Claim, Records, Shared};
