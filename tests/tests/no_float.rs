//! Law 1: no floats. The machine code of the simulation crates is disassembled and no instruction in it
//! computes with, compares or converts a floating-point number.
#![cfg(target_arch = "x86_64")]

#[cfg(debug_assertions)]
mod release_libraries;

use iced_x86::{Decoder, DecoderOptions};
use object::{Object, ObjectSection, ObjectSymbol, SymbolKind};
use std::collections::BTreeMap;

/// What was found in one object file.
#[derive(Default)]
struct Findings {
    functions: usize,
    instructions: usize,
    /// Function and instruction name, with how often.
    floats: BTreeMap<(String, String), usize>,
}

/// Whether an instruction, by its lower-case name, does more to floats than move or mask their bits.
///
/// Compilers move integers with `movaps`, `shufps`, `andps` and their kin; those stay.
fn is_float_instruction(name: &str) -> bool {
    if name.starts_with('f') {
        // The x87 unit.
        return true;
    }
    let name = name.strip_prefix('v').unwrap_or(name);
    if name.starts_with("cvt") {
        return true;
    }
    let bits_only = [
        "mov",
        "and",
        "or",
        "xor",
        "shuf",
        "unpck",
        "blend",
        "insert",
        "extract",
        "perm",
        "broadcast",
        "maskmov",
        "test",
        "gather",
        "scatter",
        "expand",
        "compress",
        "p",
    ];
    let string = ["lodsd", "stosd", "scasd", "insd", "outsd"];
    ["ss", "sd", "ps", "pd"].iter().any(|suffix| name.ends_with(suffix))
        && !bits_only.iter().any(|prefix| name.starts_with(prefix))
        && !string.contains(&name)
}

/// Disassembles every function of `file` whose symbol contains one of `names`.
fn scan(file: &object::File<'_>, names: &[&str], findings: &mut Findings) {
    for section in file.sections().filter(|section| section.kind() == object::SectionKind::Text) {
        let Ok(code) = section.data() else { continue };
        // Mach-O and COFF give no sizes: a function ends where the next one starts.
        let mut symbols: Vec<_> = file
            .symbols()
            .filter(|symbol| {
                symbol.section_index() == Some(section.index()) && symbol.kind() == SymbolKind::Text
            })
            .filter_map(|symbol| Some((symbol.address(), symbol.name().ok()?.to_owned())))
            .collect();
        symbols.sort();
        symbols.dedup_by_key(|symbol| symbol.0);
        let end = section.address() + code.len() as u64;
        let ends = symbols.iter().skip(1).map(|symbol| symbol.0).chain([end]).collect::<Vec<_>>();
        for ((start, name), end) in symbols.iter().zip(ends) {
            if !names.iter().any(|wanted| name.contains(wanted)) {
                continue;
            }
            let base = section.address();
            let body = &code[(start - base) as usize..(end - base) as usize];
            findings.functions += 1;
            for instruction in &mut Decoder::with_ip(64, body, *start, DecoderOptions::NONE) {
                findings.instructions += 1;
                let mnemonic = format!("{:?}", instruction.mnemonic()).to_lowercase();
                if is_float_instruction(&mnemonic) {
                    *findings.floats.entry((name.clone(), mnemonic)).or_default() += 1;
                }
            }
        }
    }
}

#[test]
fn float_instructions_are_recognised() {
    for name in [
        "addsd",
        "vmulps",
        "cvtsi2sd",
        "cvttsd2si",
        "ucomiss",
        "fld",
        "vfmadd213ps",
        "sqrtsd",
        "vdivpd",
        "roundsd",
    ] {
        assert!(is_float_instruction(name), "{name}");
    }
    for name in [
        "movaps",
        "vmovsd",
        "xorps",
        "vshufps",
        "unpcklpd",
        "pmuldq",
        "vpabsd",
        "imul",
        "stosd",
        "add",
        "vpermilps",
    ] {
        assert!(!is_float_instruction(name), "{name}");
    }
}

/// Release libraries, also with functions that no one calls yet; what is inlined into its callers is in the other test.
///
/// It builds them itself, so it is not repeated where the tests themselves are built in release.
#[test]
#[cfg(debug_assertions)]
fn the_release_libraries_have_no_float_instruction() {
    for (name, objects) in release_libraries::objects() {
        let mut findings = Findings::default();
        for bytes in objects {
            let file = object::File::parse(bytes.as_slice()).expect("an object file");
            scan(&file, &["isostep"], &mut findings);
        }
        assert!(
            findings.functions > 60,
            "{name}: only {} functions found, the scan is blind",
            findings.functions
        );
        assert!(findings.floats.is_empty(), "{name} computes with floats: {:#?}", findings.floats);
        println!("{name}: {} functions, {} instructions", findings.functions, findings.instructions);
    }
}

/// This test's own program, for what only exists once it is instantiated: the kernels at every lane width.
#[test]
#[cfg(target_os = "linux")]
fn the_instantiated_kernels_have_no_float_instruction() {
    assert!(!isostep_conformance::digest_report().is_empty());
    let bytes = std::fs::read(std::env::current_exe().expect("a path")).expect("a readable program");
    let mut findings = Findings::default();
    let file = object::File::parse(bytes.as_slice()).expect("an object file");
    let crates = ["isostep_math", "isostep_collision", "isostep_step", "isostep_conformance"];
    scan(&file, &crates, &mut findings);
    assert!(findings.functions > 20, "only {} functions found, the scan is blind", findings.functions);
    assert!(findings.floats.is_empty(), "floats in the instantiated code: {:#?}", findings.floats);
}
