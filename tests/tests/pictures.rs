//! A picture is computed like everything else: the same bytes on every machine.

use isostep_render::{View, render};
use isostep_scenes::Scene;
use isostep_step::WorldConfig;

/// All shapes, planes, a sensor and a kinematic body, not stepped: this golden does not move with the solver.
#[test]
fn a_picture_is_drawn_as_ever() {
    let scene = Scene::find("mixture").expect("a scene of that name");
    let world = scene.build(1, WorldConfig::default()).expect("the default is valid");
    let view = View::new(480, 270).expect("a valid size").captioned("mixture, tick 0").with_labels();
    insta::with_settings!({ snapshot_path => "../../fixtures/golden", prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!("picture", render(&world, &view));
    });
}
