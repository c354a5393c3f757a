//! The lines `digest <section> <hex>` which the test `determinism` prints.

/// The digests of one run: a hash per section, and `all` over everything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Digest {
    sections: Vec<(String, String)>,
}

impl Digest {
    /// Reads the digest lines out of a test's output; none when there is no `digest all`.
    ///
    /// The test runner may print the test's name before the first line, so only the end of a line counts.
    pub(crate) fn parse(output: &str) -> Option<Self> {
        let sections: Vec<(String, String)> = output
            .lines()
            .filter_map(|line| {
                let mut words = line.split_whitespace().rev();
                let (hex, section, key) = (words.next()?, words.next()?, words.next()?);
                let is_hash = hex.len() >= 16 && hex.bytes().all(|byte| byte.is_ascii_hexdigit());
                (key == "digest" && is_hash).then(|| (section.to_owned(), hex.to_owned()))
            })
            .collect();
        let digest = Self { sections };
        digest.section("all").is_some().then_some(digest)
    }

    /// The hash over everything.
    pub(crate) fn all(&self) -> &str {
        self.section("all").unwrap_or_default()
    }

    /// The names of the sections, but `all`, in which the two differ or which only one of them has.
    pub(crate) fn differing_sections<'a>(&'a self, other: &'a Self) -> Vec<&'a str> {
        let names = self.sections.iter().chain(&other.sections).map(|(name, _)| name.as_str());
        let mut differing: Vec<&'a str> = Vec::new();
        for name in names {
            if name != "all" && self.section(name) != other.section(name) && !differing.contains(&name) {
                differing.push(name);
            }
        }
        differing
    }

    fn section(&self, name: &str) -> Option<&str> {
        self.sections.iter().find(|(section, _)| section == name).map(|(_, hex)| hex.as_str())
    }
}

/// The digest that most of `digests` agree on, the first of them when there is a tie; none when there are none.
pub(crate) fn majority<'a>(digests: &[&'a Digest]) -> Option<&'a Digest> {
    let votes = |digest: &Digest| digests.iter().filter(|other| **other == digest).count();
    // The last of equal maxima wins, so backwards the first does.
    digests.iter().rev().copied().max_by_key(|digest| votes(digest))
}

#[cfg(test)]
mod tests {
    use super::{Digest, majority};

    fn digest(fx: &str, trig: &str, all: &str) -> Digest {
        let line = |name, hex: &str| format!("digest {name} {}\n", hex.repeat(32));
        Digest::parse(&(line("fx", fx) + &line("trig", trig) + &line("all", all))).expect("has `digest all`")
    }

    #[test]
    fn lines_are_found_among_the_test_runners_own() {
        let hex = "0123456789abcdef0123456789abcdef";
        let output = format!("\nrunning 1 test\ntest golden ... digest fx {hex}\ndigest all {hex}\nok\n");
        assert_eq!(Digest::parse(&output).expect("has `digest all`").all(), hex);
    }

    #[test]
    fn output_cut_before_the_last_line_has_no_digest() {
        assert_eq!(Digest::parse("digest fx 0123456789abcdef0123456789abcdef\n"), None);
        assert_eq!(Digest::parse("a digest of all things\n"), None);
    }

    #[test]
    fn the_sections_that_differ_are_named() {
        assert_eq!(digest("0", "1", "2").differing_sections(&digest("0", "3", "4")), ["trig"]);
    }

    #[test]
    fn one_row_against_many_is_the_odd_one() {
        let (odd, many) = (digest("0", "1", "2"), digest("0", "3", "4"));
        assert_eq!(majority(&[&odd, &many, &many]), Some(&many));
        assert_eq!(majority(&[&odd, &many]), Some(&odd));
        assert_eq!(majority(&[]), None);
    }
}
