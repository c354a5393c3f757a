//! No hot loop divides numbers of 128 bits.
//!
//! On a PC that is a call of a few dozen cycles. The compilers of i686 and armv7 have no such function and put a loop over the
//! bits of the quotient in its place, and on wasm32 the function is such a loop. In these places nothing is left to see, but the
//! source is one, and on x86-64 each division is a call: so the release libraries of x86-64 are searched for who calls it.
//!
//! Products of 128 bits are a few products of 32 bits in place on i686 and armv7, which is as it should be.
#![cfg(all(target_arch = "x86_64", target_os = "linux", debug_assertions))]

mod release_libraries;

use std::collections::{BTreeMap, BTreeSet};

use object::{Object, ObjectSection, ObjectSymbol, RelocationTarget, SymbolKind};

/// What divides numbers of 128 bits.
const DIVISIONS: [&str; 4] = ["__divti3", "__modti3", "__udivti3", "__umodti3"];

/// What runs for every contact, pair, row or node of a step: by the beginning of a function's path.
const HOT: [&str; 14] = [
    "isostep_collision::distance::",
    "isostep_collision::impact::",
    "isostep_collision::manifold::",
    "isostep_collision::overlap::",
    "isostep_collision::penetration::",
    "isostep_collision::sat::",
    "isostep_math::wide::",
    "isostep_step::hash::",
    "isostep_step::solver::",
    "isostep_step::world::step::collide::",
    "isostep_step::world::step::commit::",
    "isostep_step::world::step::contacts::",
    "isostep_step::world::step::continuous::",
    "isostep_step::world::step::outgoing::",
];

/// What is in a module of the above and runs in no step: it says in decimals how two states differ. Hashes visit sections and
/// their items, too; there what calls for it is looked at. Which of these visits are functions of their own is the compiler's
/// choice.
const IN_DECIMALS: [&str; 6] = [
    "isostep_step::hash::difference",
    "isostep_step::hash::fields",
    "isostep_step::hash::visit_section",
    "isostep_step::hash::world_items",
    "isostep_step::hash::list_items",
    "isostep_step::hash::contact_items",
];

/// What may divide, by the beginning of a function's path, and why.
const ALLOWED: [(&str, &str); 10] = [
    ("isostep_collision::cast::sweep::", "a quotient for each shape that a cast goes through"),
    ("isostep_collision::fit::", "boxes are fitted to points when a game is built or loaded"),
    ("isostep_collision::mass::", "when a collider is added or changed"),
    ("isostep_collision::planar::", "the plane has no world: games ask single questions in it"),
    ("isostep_collision::ray::", "the exact point where a ray enters a shape"),
    ("isostep_collision::shape::capsule::Capsule::closest_segment_point", "a question of single points"),
    ("isostep_math::fx::text::", "reading and writing decimals"),
    ("isostep_step::body::mass::", "when the mass of a body changes, and for an impulse that a game gives"),
    (
        "isostep_step::world::step::forces::",
        "once a step for a body that turns and is not round, or whose force has more than 43 bits",
    ),
    ("isostep_step::world::step::joints::most_force", "once a step for a joint with a limit of its force"),
];

/// What is there for the closures of others and stands for who calls it, by the beginning of a function's path. Whether it is a
/// function of its own in a library or is put in place is the compiler's choice, and changes with code elsewhere.
const STANDS_FOR_ITS_CALLERS: [&str; 1] = ["isostep_math::vec3::Vec3::map"];

/// Which functions each function refers to, by the names in the object files.
type References = BTreeMap<String, BTreeSet<String>>;

/// Adds what the functions of an object file refer to.
fn collect(file: &object::File<'_>, references: &mut References) {
    for section in file.sections().filter(|section| section.kind() == object::SectionKind::Text) {
        let symbols = file.symbols().filter(|symbol| {
            symbol.section_index() == Some(section.index()) && symbol.kind() == SymbolKind::Text
        });
        let names: BTreeMap<u64, &str> =
            symbols.filter_map(|symbol| Some((symbol.address(), symbol.name().ok()?))).collect();
        for name in names.values() {
            references.entry((*name).to_owned()).or_default();
        }
        for (offset, relocation) in section.relocations() {
            let RelocationTarget::Symbol(index) = relocation.target() else { continue };
            let target = file.symbol_by_index(index).expect("a symbol of the file");
            // A function of the same section may be named by the section.
            let target = match target.kind() {
                SymbolKind::Section if target.section_index() == Some(section.index()) => continue,
                SymbolKind::Section => target.section_index().and_then(|index| {
                    let name = file.section_by_index(index).ok()?.name().ok()?;
                    name.strip_prefix(".text.unlikely.").or(name.strip_prefix(".text."))
                }),
                _ => target.name().ok(),
            };
            let from = names.range(..=offset).next_back();
            if let (Some((_, from)), Some(target)) = (from, target) {
                references.get_mut(*from).expect("it was added").insert(target.to_owned());
            }
        }
    }
}

/// The path of a function.
fn path(symbol: &str) -> String {
    format!("{:#}", rustc_demangle::demangle(symbol))
}

/// All functions from which one of `targets` is reached through functions for which `passes` holds.
fn callers(references: &References, targets: &[&str], passes: impl Fn(&str) -> bool) -> BTreeSet<String> {
    let mut found: BTreeSet<String> = BTreeSet::new();
    let mut ends: BTreeSet<String> = targets.iter().map(ToString::to_string).collect();
    while !ends.is_empty() {
        let refers = |to: &BTreeSet<String>| to.intersection(&ends).next().is_some();
        let callers = references.iter().filter(|(_, to)| refers(to)).map(|(name, _)| name.clone());
        let fresh: BTreeSet<String> = callers.filter(|name| !found.contains(name)).collect();
        found.extend(fresh.iter().cloned());
        ends = fresh.into_iter().filter(|name| passes(&path(name))).collect();
    }
    found
}

#[test]
fn callers_are_found_through_what_passes_alone() {
    let refers = |from: &str, to: &[&str]| (from.to_owned(), to.iter().map(ToString::to_string).collect());
    let references: References =
        [refers("a", &["b"]), refers("b", &["c", "d"]), refers("c", &["__divti3"]), refers("d", &[])].into();
    let all = callers(&references, &DIVISIONS, |_| true);
    assert_eq!(all, BTreeSet::from(["a", "b", "c"].map(str::to_owned)));
    let near = callers(&references, &DIVISIONS, |name| name == "c");
    assert_eq!(near, BTreeSet::from(["b", "c"].map(str::to_owned)));
}

#[test]
fn the_release_libraries_divide_no_wide_number_in_a_hot_loop() {
    let mut references = References::new();
    for (_, objects) in release_libraries::objects() {
        for bytes in objects {
            collect(&object::File::parse(bytes.as_slice()).expect("an object file"), &mut references);
        }
    }
    let functions: Vec<String> = references.keys().map(|name| path(name)).collect();
    for hot in HOT {
        assert!(
            functions.iter().any(|name| name.starts_with(hot)),
            "no function of {hot}: the scan is blind"
        );
    }

    let dividing: Vec<String> =
        callers(&references, &DIVISIONS, |_| true).iter().map(|name| path(name)).collect();
    let is_in = |places: &[&str], name: &String| places.iter().any(|place| name.starts_with(place));
    let hot: Vec<&String> =
        dividing.iter().filter(|name| is_in(&HOT, name) && !is_in(&IN_DECIMALS, name)).collect();
    assert!(hot.is_empty(), "hot loops reach a division of 128 bits: {hot:#?}");

    // A function of the core library that was made for a closure of ours stands for the one that it was made for.
    let passes = |name: &str| {
        !name.starts_with("isostep") || STANDS_FOR_ITS_CALLERS.iter().any(|generic| name.starts_with(generic))
    };
    let nearest = callers(&references, &DIVISIONS, passes);
    let nearest: Vec<String> = nearest.iter().map(|name| path(name)).filter(|name| !passes(name)).collect();
    let surprising: Vec<&String> =
        nearest.iter().filter(|name| !ALLOWED.iter().any(|(allowed, _)| name.starts_with(allowed))).collect();
    assert!(surprising.is_empty(), "divisions of 128 bits nobody said why: {surprising:#?}");
    for (allowed, why) in ALLOWED {
        assert!(nearest.iter().any(|name| name.starts_with(allowed)), "{allowed} ({why}) divides no more");
    }
}
