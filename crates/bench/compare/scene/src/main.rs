//! `step-scene <scene>`: steps a scene in isostep to its end.
//!
//! Prints the hash of the state after the last step, and the processor time of each step in seconds.

use std::env;
use std::path::Path;

use anyhow::{Context, Result};
use isostep_compare_scene::{Scene, SceneWorld, thread_time};

fn main() -> Result<()> {
    let path = env::args().nth(1).context("step-scene <scene>")?;
    let scene = Scene::read(Path::new(&path))?;
    let SceneWorld { mut world, .. } = SceneWorld::new(&scene)?;
    let times: Vec<f64> = (0..scene.steps).map(|_| thread_time(|| world.step()).0.as_secs_f64()).collect();
    let times: Vec<String> = times.iter().map(f64::to_string).collect();
    println!("{:032x} {}", world.state_hash(), times.join(" "));
    Ok(())
}
