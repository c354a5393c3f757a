//! What several commands print: the first line, and where states differ.

use crate::new_table;
use crate::output::Output;
use isostep_math::wide::Level;
use isostep_replay::{Cause, Divergence, NumberAt, TraceDifference};
use isostep_step::{Difference, NumberDifference};
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

/// Where a replay left what was recorded.
pub(crate) fn divergence(divergence: &Divergence, out: &mut Output) -> io::Result<()> {
    let Divergence { tick, last_equal, cause, trace, numbers, keyframe } = divergence;
    match cause {
        Cause::Hash { expected, found } => {
            writeln!(out, "hash at tick {tick}: recorded {expected:032x}")?;
            writeln!(
                out,
                "{:width$}found    {found:032x}",
                "",
                width = format!("hash at tick {tick}: ").len()
            )?;
        }
        Cause::Refused { reason } => writeln!(out, "tick {tick} cannot be done: {reason}")?,
        other => writeln!(out, "tick {tick}: {}", cause_name(other))?,
    }
    writeln!(out, "equal at tick {last_equal}: the cause is after it\n")?;
    place(
        ["recorded", "found"],
        trace.as_ref(),
        numbers,
        keyframe.as_ref().map(|(tick, found)| (*tick, found)),
        out,
    )
}

/// Where two states differ, as far as it is known. `sides` are their names.
pub(crate) fn place(
    sides: [&str; 2],
    trace: Option<&TraceDifference>,
    numbers: &[NumberAt],
    keyframe: Option<(u64, &Difference)>,
    out: &mut Output,
) -> io::Result<()> {
    if !numbers.is_empty() {
        let [left, right] = sides;
        let raw = [format!("{left}, raw bits"), format!("{right}, raw bits")];
        let mut table = new_table(&["section", "handle", "field", left, right, &raw[0], &raw[1]], &[3, 4]);
        for NumberAt { section, handle, number, .. } in numbers {
            let [section, handle] = [format!("{section:?}"), handle.to_string()];
            let [name, values, bits] = columns(number);
            table.add_row([vec![section, handle, name.concat()], values, bits].concat());
        }
        writeln!(out, "{table}")?;
    } else if let Some(trace) = trace {
        writeln!(out, "what differs, by slots: {trace}")?;
    }
    if let Some((tick, difference)) = keyframe {
        writeln!(out, "first difference at the keyframe of tick {tick}: {difference}")?;
    }
    if trace.is_none() && keyframe.is_none() {
        writeln!(
            out,
            "Where, the log does not say: record with --traces, and it names the body and the field."
        )?;
    }
    Ok(())
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
        _ => "keyframe",
    }
}

pub(crate) fn divergence_json(divergence: &Divergence) -> Value {
    let Divergence { tick, last_equal, cause, trace, numbers, keyframe } = divergence;
    let hashes = match cause {
        Cause::Hash { expected, found } => json!([format!("{expected:032x}"), format!("{found:032x}")]),
        _ => Value::Null,
    };
    let reason = match cause {
        Cause::Refused { reason } => json!(reason),
        _ => Value::Null,
    };
    json!({
        "tick": tick,
        "last_equal": last_equal,
        "cause": cause_name(cause),
        "hashes": hashes,
        "reason": reason,
        "trace": trace.as_ref().map(trace_json),
        "numbers": numbers.iter().map(number_json).collect::<Vec<_>>(),
        "keyframe": keyframe.as_ref().map(|(tick, difference)| keyframe_json(*tick, difference, None)),
    })
}

pub(crate) fn trace_json(trace: &TraceDifference) -> Value {
    let columns = trace.columns.iter().map(|column| {
        json!({
            "section": format!("{:?}", column.section),
            "slots": column.items,
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
