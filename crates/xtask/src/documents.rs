//! What the documents lead to is there.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use crate::workspace::root;

/// Every document of the project, below its root.
const FOLDERS: [&str; 5] = ["", "docs", "fixtures", "fixtures/released", "crates/bench/scenes"];

#[test]
fn every_link_and_picture_leads_to_a_file_and_a_heading_in_it() {
    let (documents, mut links, mut dead) = (documents(), 0, Vec::new());
    assert!(documents.len() >= 16, "{documents:?}");
    for document in &documents {
        for link in links_of(&read(document)) {
            links += 1;
            if !leads_somewhere(document, &link) {
                dead.push(format!("{}: {link}", document.display()));
            }
        }
    }
    assert!(dead.is_empty(), "{dead:#?}");
    assert!(links >= 60, "{links}");
}

#[test]
fn a_file_or_heading_that_is_not_there_is_found() {
    let document = root().join("README.md");
    assert!(leads_somewhere(&document, "docs/physics.md#large-worlds"));
    assert!(!leads_somewhere(&document, "docs/physics.md#small-worlds"));
    assert!(!leads_somewhere(&document, "docs/chemistry.md"));
}

#[test]
fn anchors_are_those_of_the_page() {
    let anchors = anchors_of("# Save and load: *in memory*\n## What is here\n## What is here\n### `Fx`, 1.5");
    let wanted = ["save-and-load-in-memory", "what-is-here", "what-is-here-1", "fx-15"];
    assert_eq!(anchors, wanted.map(str::to_owned).into());
}

/// Whether a link of a document is to somewhere else, or to what is in the project.
fn leads_somewhere(document: &Path, link: &str) -> bool {
    if link.contains("://") {
        return true;
    }
    let (path, anchor) = link.split_once('#').map_or((link, None), |(path, anchor)| (path, Some(anchor)));
    let target = if path.is_empty() {
        document.to_owned()
    } else {
        document.parent().expect("a document is in a folder").join(path)
    };
    target.exists() && anchor.is_none_or(|anchor| anchors_of(&read(&target)).contains(anchor))
}

fn links_of(markdown: &str) -> Vec<String> {
    let links = Parser::new_ext(markdown, Options::ENABLE_TABLES).filter_map(|event| match event {
        Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
            Some(dest_url.into_string())
        }
        _ => None,
    });
    links.collect()
}

/// What headings are called in links, as GitHub and others do: in lower case, with hyphens for spaces and without other
/// punctuation; of several alike the later ones are numbered.
fn anchors_of(markdown: &str) -> BTreeSet<String> {
    let (mut anchors, mut heading) = (BTreeSet::new(), None::<String>);
    for event in Parser::new_ext(markdown, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
            Event::Text(text) | Event::Code(text) => {
                if let Some(heading) = &mut heading {
                    heading.push_str(&text);
                }
            }
            Event::End(TagEnd::Heading(_)) => {
                let kept = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
                let text = heading.take().unwrap_or_default().to_lowercase();
                let anchor: String = text.chars().filter(kept).collect::<String>().replace(' ', "-");
                let numbered = (1..).map(|number| format!("{anchor}-{number}"));
                let names = [anchor.clone()].into_iter().chain(numbered);
                anchors.extend(names.into_iter().find(|name| !anchors.contains(name)));
            }
            _ => {}
        }
    }
    anchors
}

fn documents() -> Vec<PathBuf> {
    let mut documents = Vec::new();
    for folder in FOLDERS {
        let entries = fs::read_dir(root().join(folder)).expect("a folder of documents");
        let paths = entries.map(|entry| entry.expect("an entry").path());
        documents.extend(paths.filter(|path| path.extension().is_some_and(|extension| extension == "md")));
    }
    documents
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
