fn main() { print!("{}", isostep_conformance::digest_report()); }
