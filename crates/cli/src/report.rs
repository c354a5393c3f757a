//! What several commands print: the first line, and where states differ.

use crate::output::Output;
use crate::tables::new_table;
use comfy_table::Table;
use isostep_math::wide::Level;
use isostep_replay::{Cause, Divergence, ItemHandle, NumberAt, Start, TraceComparison, TraceDifference};
use isostep_step::{Difference, NumberDifference, Section, World};
use serde_json::{Value, json};
use std::io::{self, Write};

/// What computes here.
pub(crate) fn banner(out: &mut Output) -> io::Result<()> {
    let level = Level::current();
    writeln!(
        out,
        "isostep {}: deterministic fixed-point physics, {}-{}, kernels in {} lanes ({})\n",
        env!("CARGO_PKG_VERSION"),
        std::env::consts::ARCH,
        std::env::consts::OS,
        level.lanes(),
        level.name(),
    )
}

/// A difference at a keyframe, and who owns the slot that differs.
pub(crate) struct AtKeyframe<'a> {
    pub(crate) tick: u64,
    pub(crate) difference: &'a Difference,
    pub(crate) owner: Option<&'a str>,
}

/// Two hashes of a state, one below the other.
fn hashes(state: &str, [name, other]: [&str; 2], [a, b]: [&u128; 2], out: &mut Output) -> io::Result<()> {
    writeln!(out, "{state}: {name} {a:032x}")?;
    writeln!(out, "{:indent$}  {other:width$} {b:032x}", "", indent = state.len(), width = name.len())
}

/// Where a replay left what was recorded. `owner` is of the slot that differs at a keyframe.
pub(crate) fn divergence(divergence: &Divergence, owner: Option<&str>, out: &mut Output) -> io::Result<()> {
    let Divergence { tick, last_equal, cause, trace, numbers, keyframe } = divergence;
    let since = last_equal.map_or_else(|| "the start".to_owned(), |tick| format!("tick {tick}"));
    match cause {
        Cause::Hash { expected, found } => {
            hashes(&format!("hash at tick {tick}"), ["recorded", "found"], [expected, found], out)?;
        }
        Cause::Refused { reason } => writeln!(out, "tick {tick} cannot be done: {reason}")?,
        Cause::LastHash { expected, found, is_hashed } => {
            hashes(&format!("last hash, of tick {tick}"), ["in the index", "found"], [expected, found], out)?;
            if *is_hashed {
                return writeln!(
                    out,
                    "The last tick has the hash that was found: the log was finished in another state."
                );
            }
            if *last_equal == Some(*tick) {
                return writeln!(
                    out,
                    "The log has what was found as a keyframe: it was finished in another state."
                );
            }
            return writeln!(
                out,
                "The last tick has no hash. Either the log was finished in another state, as by a game that had run ahead, or \
                 what was replayed went elsewhere since {since}: record with a hash of each tick, and it is told."
            );
        }
        Cause::RolledBack { first, again, difference } => {
            return rolled_back(*tick, first, again.as_ref(), difference.as_deref(), out);
        }
        _ => writeln!(out, "the state at tick {tick} is not the recorded keyframe")?,
    }
    match last_equal {
        Some(last_equal) => writeln!(out, "equal at tick {last_equal}: the cause is after it\n")?,
        None => writeln!(out, "nothing before was compared\n")?,
    }
    let keyframe = keyframe.as_ref().map(|(tick, difference)| AtKeyframe { tick: *tick, difference, owner });
    if place(["recorded", "found"], trace, numbers, keyframe.as_ref(), out)? {
        return Ok(());
    }
    if matches!(cause, Cause::Refused { .. }) {
        // There is no state after it of which a trace could tell.
        return if *last_equal < Some(*tick) {
            writeln!(
                out,
                "The states may differ since {since}: record with a hash of each tick and --traces, and the \
                 first that differs is named."
            )
        } else {
            writeln!(
                out,
                "The state before is the recorded one: the cause is in what the log has of that tick, or in the build."
            )
        };
    }
    if trace.is_traced() {
        return writeln!(out, "{BESIDE}");
    }
    if let Some(error) = trace.error() {
        return writeln!(out, "Where, the log's trace would say, which cannot be read: {error}");
    }
    writeln!(
        out,
        "Where, the log does not say: record with traces (`record --traces`, `Header::with_traces`), and it names the body \
         and the field, or says that it is in what the game keeps beside."
    )
}

/// What a tick led to that was done again after a rollback.
fn rolled_back(
    tick: u64,
    first: &u128,
    again: Result<&u128, &String>,
    difference: Option<&Difference>,
    out: &mut Output,
) -> io::Result<()> {
    match again {
        Ok(again) if again == first => writeln!(
            out,
            "tick {tick}: what is saved after a rollback has other bytes, though the hash is the same, {first:032x}"
        )?,
        Ok(again) => {
            hashes(
                &format!("hash at tick {tick}"),
                ["the first time", "after a rollback"],
                [first, again],
                out,
            )?;
            match difference {
                Some(difference) => first_difference(["first", "again"], difference, None, out)?,
                None => writeln!(out, "{BESIDE}")?,
            }
        }
        Err(reason) => writeln!(out, "after a rollback the tick to {tick} cannot be done again: {reason}")?,
    }
    writeln!(
        out,
        "A state that was saved and loaded is not the one that it was: the tick follows from something that `save` leaves \
         out, or `load` does not put back."
    )
}

/// How the start of a log differs from what this build makes of its header, if it is known to.
pub(crate) fn start(start: &Start, out: &mut Output) -> io::Result<()> {
    match start {
        Start::World(difference) => first_difference(["recorded", "found"], difference, None, out)?,
        Start::Beside => writeln!(out, "{BESIDE}")?,
        _ => return Ok(()),
    }
    writeln!(
        out,
        "This build makes another start of the log's header: other data of a level, other rules under the same version, or a \
         start that follows from more than the seed, the players and the note. The ticks were replayed from the log's."
    )
}

pub(crate) fn start_json(start: &Start) -> Value {
    match start {
        Start::Unknown => Value::Null,
        Start::Equal => json!("equal"),
        Start::World(difference) => keyframe_json(0, difference, None),
        Start::Beside => json!("beside"),
    }
}

/// What there is to say of states whose traces agree and whose hashes do not.
pub(crate) const BESIDE: &str = "The worlds do not differ: it is in what the game keeps beside.";

/// Where two states differ, whose names are `sides`; whether that is known.
pub(crate) fn place(
    sides: [&str; 2],
    trace: &TraceComparison,
    numbers: &[NumberAt],
    keyframe: Option<&AtKeyframe<'_>>,
    out: &mut Output,
) -> io::Result<bool> {
    if !numbers.is_empty() {
        let mut table = difference_table(sides);
        for NumberAt { section, handle, number, .. } in numbers {
            table.add_row(difference_row(*section, &handle.to_string(), number));
        }
        writeln!(out, "{table}")?;
    } else if let Some(difference) = trace.difference() {
        writeln!(out, "what differs, by slots: {difference}")?;
    }
    // Of numbers that are known in the tick that differs, a later keyframe tells nothing.
    if let Some(AtKeyframe { tick, difference, owner }) = keyframe.filter(|_| numbers.is_empty()) {
        writeln!(out, "The first difference at the keyframe of tick {tick}:")?;
        first_difference(sides, difference, *owner, out)?;
    }
    Ok(trace.difference().is_some() || keyframe.is_some())
}

/// The first field in which two states differ, whose names are `sides`. `owner` is of its slot.
fn first_difference(
    sides: [&str; 2],
    difference: &Difference,
    owner: Option<&str>,
    out: &mut Output,
) -> io::Result<()> {
    let Difference { section, item, field, left, right, numbers } = difference;
    let slot = format!("slot {item}");
    let owner = owner.unwrap_or(&slot);
    let mut table = difference_table(sides);
    for number in numbers {
        table.add_row(difference_row(*section, owner, number));
    }
    if numbers.is_empty() {
        table.add_row([&format!("{section:?}"), owner, *field, left, right, "", ""]);
    }
    writeln!(out, "{table}")
}

fn difference_table(sides: [&str; 2]) -> Table {
    let [left, right] = sides;
    let bits = sides.map(|side| format!("{side}, raw bits"));
    new_table(&["section", "handle", "field", left, right, &bits[0], &bits[1]], &[3, 4])
}

fn difference_row(section: Section, owner: &str, number: &NumberDifference) -> Vec<String> {
    let [name, values, bits] = columns(number);
    [vec![format!("{section:?}"), owner.to_owned()], name, values, bits].concat()
}

/// Who owns the slot of a column that differs, in a world of the same tick.
pub(crate) fn owner(world: &World, difference: &Difference) -> Option<String> {
    match ItemHandle::of(world, difference.section, difference.item) {
        ItemHandle::Vacant => None,
        handle => Some(handle.to_string()),
    }
}

/// The name of a number, both values in decimal, and both as bits.
fn columns(number: &NumberDifference) -> [Vec<String>; 3] {
    let NumberDifference { left, right } = number;
    let both = [left.bits, *right];
    [
        vec![left.name()],
        both.map(|bits| left.kind.decimal(bits)).to_vec(),
        both.map(|bits| format!("0x{bits:016x}")).to_vec(),
    ]
}

fn cause_name(cause: &Cause) -> &'static str {
    match cause {
        Cause::Hash { .. } => "hash",
        Cause::Refused { .. } => "refused",
        Cause::LastHash { .. } => "last_hash",
        Cause::RolledBack { .. } => "rolled_back",
        _ => "keyframe",
    }
}

pub(crate) fn divergence_json(divergence: &Divergence, owner: Option<&str>) -> Value {
    let Divergence { tick, last_equal, cause, trace, numbers, keyframe } = divergence;
    let hashes = match cause {
        Cause::RolledBack { first, again: Ok(again), .. } => {
            json!([format!("{first:032x}"), format!("{again:032x}")])
        }
        Cause::Hash { expected, found } | Cause::LastHash { expected, found, .. } => {
            json!([format!("{expected:032x}"), format!("{found:032x}")])
        }
        _ => Value::Null,
    };
    let reason = match cause {
        Cause::Refused { reason } | Cause::RolledBack { again: Err(reason), .. } => json!(reason),
        _ => Value::Null,
    };
    let rolled_back = match cause {
        Cause::RolledBack { difference: Some(difference), .. } => keyframe_json(*tick, difference, None),
        _ => Value::Null,
    };
    json!({
        "tick": tick,
        "last_equal": last_equal,
        "cause": cause_name(cause),
        "hashes": hashes,
        "reason": reason,
        "rolled_back": rolled_back,
        "is_traced": trace.is_traced(),
        "trace": trace.difference().map(trace_json),
        "trace_error": trace.error().map(ToString::to_string),
        "numbers": numbers.iter().map(number_json).collect::<Vec<_>>(),
        "keyframe": keyframe.as_ref().map(|(tick, difference)| keyframe_json(*tick, difference, owner)),
    })
}

pub(crate) fn trace_json(trace: &TraceDifference) -> Value {
    let columns = trace.columns.iter().map(|column| {
        json!({
            "section": format!("{:?}", column.section),
            "slots": column.items,
            "slot_count": column.count,
            "fields": column.numbers,
        })
    });
    let others = trace.others.iter().map(|section| format!("{section:?}"));
    json!({ "columns": columns.collect::<Vec<_>>(), "others": others.collect::<Vec<_>>() })
}

pub(crate) fn number_json(at: &NumberAt) -> Value {
    let mut json = difference_json(&at.number);
    json["section"] = json!(format!("{:?}", at.section));
    json["slot"] = json!(at.item);
    json["handle"] = json!(at.handle.to_string());
    json
}

fn difference_json(number: &NumberDifference) -> Value {
    let [name, values, bits] = columns(number);
    json!({ "field": name[0], "values": values, "bits": bits })
}

pub(crate) fn keyframe_json(tick: u64, difference: &Difference, handle: Option<&str>) -> Value {
    let Difference { section, item, field, left, right, numbers } = difference;
    json!({
        "tick": tick,
        "section": format!("{section:?}"),
        "slot": item,
        "handle": handle,
        "field": field,
        "texts": [left, right],
        "numbers": numbers.iter().map(difference_json).collect::<Vec<_>>(),
    })
}
