//! What becomes of the file that a command is to write.

use crate::files;
use crate::run::isostep;
use std::fs;
use std::path::Path;
use tempfile::tempdir;

const RECORD: &str = "record --scene arena --players 2 --ticks 5 -o";

/// The names of what is in a folder, sorted.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<_> = entries.map(|name| name.into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_recording_replaces_the_file_of_its_name_and_leaves_nothing_beside_it() {
    let folder = tempdir().unwrap();
    let here = folder.path();
    fs::write(here.join("match.isr"), "old").unwrap();
    isostep(here, &format!("{RECORD} match.isr")).ends_with(0);
    isostep(here, "verify match.isr").ends_with(0);
    assert_eq!(names(here), ["match.isr"]);
}

#[test]
fn a_folder_that_there_is_not_is_refused_before_anything_is_recorded() {
    let folder = tempdir().unwrap();
    let here = folder.path();
    for name in ["new/", "new/."] {
        isostep(here, &format!("{RECORD} {name}"))
            .refuses(&[&format!("cannot write {name}: there is no such folder\n")]);
    }
    assert_eq!(names(here), [""; 0]);
}

#[test]
fn a_name_may_be_as_long_as_names_of_files_are() {
    let folder = tempdir().unwrap();
    let here = folder.path();
    let name = format!("{}.isr", "x".repeat(246));
    isostep(here, &format!("{RECORD} {name}")).ends_with(0);
    assert_eq!(names(here), [name]);
}

#[test]
fn a_picture_does_not_replace_the_log_that_it_is_of() {
    let folder = tempdir().unwrap();
    let here = folder.path();
    fs::write(here.join("arena.isr"), files::arena()).unwrap();
    for output in ["arena.isr", "./arena.isr"] {
        isostep(here, &format!("render arena.isr -o {output}")).refuses(&[output, "takes another file"]);
    }
    assert!(fs::read(here.join("arena.isr")).unwrap() == files::arena());
    // A scene is no file, whatever is called like it.
    fs::write(here.join("stacks"), "").unwrap();
    isostep(here, "render stacks --scene-size 1 -o stacks").ends_with(0);
}

#[cfg(unix)]
mod unix {
    use super::*;
    use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
    use std::process::Command;
    use std::thread;

    #[test]
    fn a_fifo_is_written_to() {
        let folder = tempdir().unwrap();
        let here = folder.path();
        let fifo = here.join("fifo");
        assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
        for (arguments, file) in [
            ("record --scene arena --players 2 --ticks 5 -o", "match.isr"),
            ("render stacks --scene-size 1 -o", "picture.svg"),
        ] {
            let reader = thread::spawn({
                let fifo = fifo.clone();
                move || fs::read(fifo).unwrap()
            });
            let run = isostep(here, &format!("{arguments} fifo")).ends_with(0);
            // The pipe may be where the standard output goes.
            assert_eq!(run.out, "");
            assert!(fs::metadata(&fifo).unwrap().file_type().is_fifo());
            let read = reader.join().unwrap();
            let said_of_file = isostep(here, &format!("{arguments} {file}")).ends_with(0).out;
            assert!(fs::read(here.join(file)).unwrap() == read);
            // Its length as well.
            assert_eq!(run.err.replace("fifo", file), said_of_file);
        }
    }

    #[test]
    fn the_standard_output_has_nothing_but_the_log_that_goes_there() {
        let folder = tempdir().unwrap();
        let here = folder.path();
        let shell = Command::new("sh")
            .args([
                "-c",
                &format!("{} {RECORD} /dev/stdout | cat > piped.isr", env!("CARGO_BIN_EXE_isostep")),
            ])
            .current_dir(here)
            .output()
            .unwrap();
        assert!(
            shell.stdout.is_empty()
                && String::from_utf8(shell.stderr).unwrap().starts_with("/dev/stdout: 5 ticks")
        );
        isostep(here, &format!("{RECORD} match.isr")).ends_with(0);
        assert!(fs::read(here.join("piped.isr")).unwrap() == fs::read(here.join("match.isr")).unwrap());
    }

    #[test]
    fn of_several_that_record_the_same_file_one_is_there_in_the_end() {
        let folder = tempdir().unwrap();
        let here = folder.path();
        let writers: Vec<_> = (0..4)
            .map(|seed| {
                let here = here.to_owned();
                thread::spawn(move || {
                    isostep(
                        &here,
                        &format!("record --scene arena --players 2 --ticks 60 --seed {seed} -o match.isr"),
                    )
                })
            })
            .collect();
        for writer in writers {
            writer.join().unwrap().ends_with(0);
        }
        isostep(here, "verify match.isr").ends_with(0);
        assert_eq!(names(here), ["match.isr"]);
    }

    #[test]
    fn of_a_symbolic_link_what_it_leads_to_is_replaced() {
        let folder = tempdir().unwrap();
        let here = folder.path();
        fs::create_dir(here.join("far")).unwrap();
        fs::write(here.join("far/old.isr"), "old").unwrap();
        for target in ["far/old.isr", "far/missing.isr"] {
            symlink(target, here.join("first.isr")).unwrap();
            symlink("first.isr", here.join("link.isr")).unwrap();
            isostep(here, &format!("{RECORD} link.isr")).ends_with(0);
            isostep(here, &format!("verify {target}")).ends_with(0);
            for link in ["first.isr", "link.isr"] {
                assert!(fs::symlink_metadata(here.join(link)).unwrap().is_symlink());
                fs::remove_file(here.join(link)).unwrap();
            }
        }
        assert_eq!(names(&here.join("far")), ["missing.isr", "old.isr"]);
        symlink("circle.isr", here.join("circle.isr")).unwrap();
        isostep(here, &format!("{RECORD} circle.isr")).refuses(&["cannot write circle.isr"]);

        fs::write(here.join("arena.isr"), files::arena()).unwrap();
        symlink("arena.isr", here.join("arena.svg")).unwrap();
        isostep(here, "render arena.isr -o arena.svg").refuses(&["arena.svg", "takes another file"]);
    }

    #[test]
    fn what_is_replaced_keeps_its_permissions() {
        let folder = tempdir().unwrap();
        let here = folder.path();
        let path = here.join("match.isr");
        fs::write(&path, "old").unwrap();
        for mode in [0o600, 0o666, 0o640] {
            fs::set_permissions(&path, PermissionsExt::from_mode(mode)).unwrap();
            isostep(here, &format!("{RECORD} match.isr")).ends_with(0);
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, mode);
        }
    }
}
