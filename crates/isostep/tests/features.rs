//! What is said of the features.

/// Those of the manifest, but for the list of what is on by default.
fn features() -> Vec<&'static str> {
    let manifest = include_str!("../Cargo.toml");
    let (_, list) = manifest.split_once("[features]\n").unwrap();
    let (list, _) = list.split_once("\n[").unwrap();
    let names = list.lines().filter_map(|line| line.split_once(" = ")).map(|(name, _)| name);
    names.filter(|&name| name != "default").collect()
}

#[test]
fn the_readme_and_the_documentation_of_the_crate_name_every_feature() {
    assert_eq!(features(), ["std", "parallel", "serde", "float", "mint", "glam"]);
    let readme = include_str!("../../../README.md");
    let (_, told) = readme.split_once("Features of the crate `isostep`").unwrap();
    let (in_readme, _) = told.split_once("## What is here").unwrap();
    let (_, told) = include_str!("../src/lib.rs").split_once("# Features").unwrap();
    let (in_crate, _) = told.split_once("\n\n").unwrap();
    for feature in features() {
        let name = format!("`{feature}`");
        let is_row_of =
            |line: &str| line.starts_with("| `") && line.split(" | ").next().unwrap().contains(&name);
        assert!(in_readme.lines().any(is_row_of), "the README has no row for {name}");
        assert!(in_crate.contains(&name), "the crate does not name {name}");
    }
}
