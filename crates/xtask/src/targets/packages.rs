//! Linkers, emulators and node, from the machine's package manager.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use super::rows::{Machine, Row};
use crate::shell;

/// Something a row needs from the machine, and where it comes from.
struct Need {
    /// What must be there: a program on the `PATH`, or a file by its full path.
    thing: String,
    /// The Debian package that brings it.
    package: &'static str,
}

impl Need {
    fn new(thing: impl Into<String>, package: &'static str) -> Self {
        Self { thing: thing.into(), package }
    }

    fn is_met(&self) -> bool {
        if self.thing.starts_with('/') {
            Path::new(&self.thing).exists()
        } else {
            shell::is_on_path(&self.thing)
        }
    }
}

/// Installs what `rows` need and the machine lacks; an error says what to install by hand where that fails.
pub(crate) fn install_missing(rows: &[Row], log: &Path) -> Result<()> {
    let needs = needs(rows);
    let mut packages: Vec<&str> =
        needs.iter().filter(|need| !need.is_met()).map(|need| need.package).collect();
    packages.sort_unstable();
    packages.dedup();
    if packages.is_empty() {
        return Ok(());
    }
    println!("installing {}", packages.join(" "));
    let by_hand = || format!("cannot install packages; as root, run: apt-get install {}", packages.join(" "));
    update_lists(log).with_context(by_hand)?;
    let mut install = apt_get().with_context(by_hand)?;
    install.args(["install", "--yes", "--no-install-recommends"]).args(&packages);
    shell::logged(&mut install, log).with_context(by_hand)?;
    let missing: Vec<&str> =
        needs.iter().filter(|need| !need.is_met()).map(|need| need.thing.as_str()).collect();
    ensure!(
        missing.is_empty(),
        "still missing after installing {}: {}",
        packages.join(" "),
        missing.join(", ")
    );
    Ok(())
}

/// Brings the machine's package lists up to date.
pub(crate) fn update_lists(log: &Path) -> Result<()> {
    shell::logged(apt_get()?.arg("update"), log)
}

fn needs(rows: &[Row]) -> Vec<Need> {
    // Build scripts and macros are linked by the machine's own compiler, whatever the target.
    let mut needs = vec![Need::new("cc", "gcc"), Need::new("/usr/include/stdlib.h", "libc6-dev")];
    for row in rows {
        match &row.target.machine {
            Machine::Native => {}
            Machine::Emulated { qemu, gcc, packages: [compiler, library], .. } => needs.extend([
                Need::new(*qemu, "qemu-user"),
                Need::new(format!("{gcc}-gcc"), compiler),
                Need::new(format!("/usr/{gcc}/lib/crt1.o"), library),
            ]),
            Machine::Wasi => needs.push(Need::new("node", "nodejs")),
        }
    }
    needs
}

/// apt-get with the right to install, waiting for another one to finish.
fn apt_get() -> Result<Command> {
    ensure!(shell::is_on_path("apt-get"), "no apt-get on this machine");
    let is_root = shell::capture(Command::new("id").arg("-u"))?.trim() == "0";
    let mut command = if is_root {
        Command::new("apt-get")
    } else {
        if shell::capture(Command::new("sudo").args(["-n", "true"])).is_err() {
            bail!("not root, and sudo asks for a password or is missing");
        }
        let mut sudo = Command::new("sudo");
        sudo.args(["-n", "DEBIAN_FRONTEND=noninteractive", "apt-get"]);
        sudo
    };
    command.env("DEBIAN_FRONTEND", "noninteractive").args(["-o", "DPkg::Lock::Timeout=300"]);
    Ok(command)
}
