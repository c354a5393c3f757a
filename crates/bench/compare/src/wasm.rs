//! isostep as a module of wasm32 in node next to isostep as it is here, both on one thread.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use comfy_table::Table;
use isostep_compare_scene::Scene;
use isostep_math::wide::Level;

use crate::child::{self, Request, times_told};
use crate::engine::EngineName;
use crate::table::{self, milliseconds};
use crate::timing::{Contestant, Steps, once, typical};

/// What runs a module in node, which may see one folder.
const HOST: &str = "../../xtask/src/targets/wasi.mjs";
/// What the two modules are, in their order.
const MODULES: [&str; 2] = ["wasm32", "wasm32 with simd128"];

/// Steps each scene natively, on all vectors that the processor has, and in both modules of `step-scene`, in turn, and
/// tells the time of a step over the last quarter: before that node may still compile the module.
///
/// # Errors
/// If a module comes to another state than the native program does.
pub(crate) fn table(scenes: &[PathBuf], modules: &[PathBuf], repeat: usize) -> Result<Table> {
    let native = Contestant::alone(EngineName::Isostep);
    // The widest first; the one that is used without the variable, where there are no vectors.
    let vectors = Level::available().filter(|&level| level > Level::SCALAR).map(Some);
    let mut levels: Vec<Option<Level>> = vectors.collect();
    levels.reverse();
    if levels.is_empty() {
        levels.push(None);
    }
    let names: Vec<String> =
        levels.iter().map(|level| level.map_or("one lane".into(), |l| l.to_string())).collect();
    let head = std::iter::once("scene".to_owned())
        .chain(names.iter().map(|name| format!("native, {name}")))
        .chain(MODULES.map(str::to_owned));
    let mut table = table::new(head, 1);
    for path in scenes {
        let scene = Scene::read(path)?;
        eprintln!("{} in node", scene.name);
        let (_, _, mut world) = once(native, &scene, false)?;
        let state = format!("{:032x}", world.hash().context("isostep has a hash")?);
        let mut natives = vec![Vec::new(); levels.len()];
        let mut in_modules = [Vec::new(), Vec::new()];
        for _ in 0..repeat {
            for ((runs, level), name) in natives.iter_mut().zip(&levels).zip(&names) {
                let variable = level.map(|_| (Level::VARIABLE, name.as_str()));
                let request = Request { variable, ..Request::plain(native) };
                runs.push(child::run(request, path, scene.steps)?.times);
            }
            for (runs, (module, name)) in in_modules.iter_mut().zip(modules.iter().zip(MODULES)) {
                let (hash, times) = in_node(module, path, scene.steps)?;
                ensure!(hash == state, "{}: {name} comes to {hash}, and natively it is {state}", scene.name);
                runs.push(times);
            }
        }
        let natives: Vec<f64> = natives.iter().map(|runs| typical(runs, Steps::Settled)).collect();
        let modules = in_modules.map(|runs| {
            let time = typical(&runs, Steps::Settled);
            let ratios: Vec<String> = natives.iter().map(|native| format!("{:.2}×", time / native)).collect();
            format!("{} ({})", milliseconds(time), ratios.join(", "))
        });
        table.add_row(
            [scene.name].into_iter().chain(natives.iter().map(|&time| milliseconds(time))).chain(modules),
        );
    }
    Ok(table)
}

/// The version of node that runs the modules: what of its compiler depends on it takes a tenth of a step.
pub(crate) fn node_version() -> Result<String> {
    let output = Command::new("node").arg("--version").output().context("cannot start node")?;
    ensure!(output.status.success(), "node --version ended with {}", output.status);
    let version = String::from_utf8(output.stdout).context("node has a version of no text")?;
    Ok(version.trim().trim_start_matches('v').to_owned())
}

/// The hash of the last state, and how long each step took, in seconds.
fn in_node(module: &Path, scene: &Path, steps: usize) -> Result<(String, Vec<f64>)> {
    let host = Path::new(env!("CARGO_MANIFEST_DIR")).join(HOST);
    let scene = scene.canonicalize().with_context(|| format!("cannot find {}", scene.display()))?;
    let folder = scene.parent().context("a file is in a folder")?;
    // The second option is needed by node 18, and accepted by its successors.
    let mut node = Command::new("node");
    node.args(["--no-warnings", "--experimental-wasi-unstable-preview1"]);
    let output = node.arg(host).arg(folder).arg(module).arg(&scene).output().context("cannot start node")?;
    let errors = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "node ended with {}: {}", output.status, errors.trim_end());
    let words = String::from_utf8(output.stdout).context("a module told no text")?;
    let mut words = words.split_whitespace();
    let hash = words.next().context("a module told nothing")?.to_owned();
    Ok((hash, times_told("a module", words, steps)?))
}
