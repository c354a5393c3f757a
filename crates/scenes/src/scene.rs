//! [`Scene`]: what there is, and how to get it.

use crate::stage::Stage;
use crate::{
    arch, bullets, card_house, cars, chain, cradle, doors, jenga, joint_grid, mixture, pendulum, piles,
    pyramid, ragdolls, slope, stacks, tiny_match,
};
use isostep_step::{Command, ConfigError, World, WorldConfig};

/// A named scene.
///
/// ```
/// use isostep_scenes::Scene;
///
/// let pyramid = Scene::find("pyramid").unwrap();
/// assert_eq!(pyramid.world().bodies().count(), 466);
/// assert_eq!(pyramid.small_world().bodies().count(), 56);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Scene {
    /// Its name: lower case, with hyphens.
    pub name: &'static str,
    /// What it shows, in a line.
    pub about: &'static str,
    /// How many ticks it takes to show that.
    pub ticks: u32,
    /// What its size counts.
    pub size_means: &'static str,
    /// Its usual size.
    pub size: u32,
    /// A size for tests.
    pub small_size: u32,
    /// The greatest size that can be built.
    pub max_size: u32,
    fill: fn(&mut Stage, u32),
}

impl Scene {
    /// All scenes. The first five are those that other engines were measured on.
    #[must_use]
    pub const fn all() -> &'static [Self] {
        &ALL
    }

    /// The scene of a name.
    #[must_use]
    pub fn find(name: &str) -> Option<&'static Self> {
        ALL.iter().find(|scene| scene.name == name)
    }

    /// The scene in its usual size, in a world of the default configuration.
    #[must_use]
    pub fn world(&self) -> World {
        self.filled(Stage::new(), self.size).into_world()
    }

    /// The scene in its size for tests, in a world of the default configuration.
    #[must_use]
    pub fn small_world(&self) -> World {
        self.filled(Stage::new(), self.small_size).into_world()
    }

    /// The scene in a size, held to 1 and [`max_size`](Self::max_size), in a world of a configuration: with sleep or
    /// without, with more substeps, or on the moon.
    ///
    /// # Errors
    /// If a field of the configuration is out of its range.
    pub fn build(&self, size: u32, config: WorldConfig) -> Result<World, ConfigError> {
        Ok(self.filled(Stage::with_config(config)?, size).into_world())
    }

    /// The commands that build the scene in a size, held likewise, in an empty world: a log that begins with them needs
    /// no other place to have the scene from.
    #[must_use]
    pub fn commands(&self, size: u32) -> Vec<Command> {
        self.filled(Stage::new(), size).into_commands()
    }

    fn filled(&self, mut stage: Stage, size: u32) -> Stage {
        (self.fill)(&mut stage, size.clamp(1, self.max_size));
        stage
    }
}

const ALL: [Scene; 18] = [
    Scene {
        name: "pyramid",
        about: "a wall of boxes, each on two others: it stands",
        ticks: 300,
        size_means: "boxes in the lowest row",
        size: 30,
        small_size: 10,
        max_size: 200,
        fill: pyramid::fill,
    },
    Scene {
        name: "pile-of-boxes",
        about: "tumbling boxes fall into a pit of 12 m",
        ticks: 600,
        size_means: "layers of 64 boxes",
        size: 16,
        small_size: 2,
        max_size: 256,
        fill: piles::boxes,
    },
    Scene {
        name: "pile-of-spheres",
        about: "balls fall into a pit of 20 m",
        ticks: 600,
        size_means: "layers of 256 balls",
        size: 16,
        small_size: 1,
        max_size: 64,
        fill: piles::spheres,
    },
    Scene {
        name: "stacks",
        about: "many stacks of five boxes that have nothing to do with each other",
        ticks: 300,
        size_means: "rows of ten stacks",
        size: 20,
        small_size: 2,
        max_size: 400,
        fill: stacks::fill,
    },
    Scene {
        name: "tiny-match",
        about: "boxes and balls thrown about among obstacles: as much as a small game has",
        ticks: 1000,
        size_means: "rows of eight boxes, and half as many of eight balls",
        size: 4,
        small_size: 4,
        max_size: 64,
        fill: tiny_match::fill,
    },
    Scene {
        name: "card-house",
        about: "leaning cards hold each other by friction",
        ticks: 300,
        size_means: "storeys",
        size: 5,
        small_size: 3,
        max_size: 40,
        fill: card_house::fill,
    },
    Scene {
        name: "arch",
        about: "two walls lean over a gap until a beam closes it",
        ticks: 300,
        size_means: "courses of each wall",
        size: 10,
        small_size: 6,
        max_size: 100,
        fill: arch::fill,
    },
    Scene {
        name: "jenga",
        about: "a tower with gaps, and a ball that comes for it",
        ticks: 300,
        size_means: "layers of three blocks",
        size: 18,
        small_size: 9,
        max_size: 100,
        fill: jenga::fill,
    },
    Scene {
        name: "slope",
        about: "on one slope, boxes of rising friction slide or stay, and balls roll",
        ticks: 300,
        size_means: "lanes",
        size: 12,
        small_size: 8,
        max_size: 100,
        fill: slope::fill,
    },
    Scene {
        name: "mixture",
        about: "all shapes, bouncing, turned by a kinematic arm over a sensor",
        ticks: 600,
        size_means: "layers of sixteen bodies",
        size: 8,
        small_size: 3,
        max_size: 100,
        fill: mixture::fill,
    },
    Scene {
        name: "pendulum",
        about: "a pendulum of 2 m, and beside it a double one",
        ticks: 600,
        size_means: "rods that hang on each other",
        size: 2,
        small_size: 2,
        max_size: 40,
        fill: pendulum::fill,
    },
    Scene {
        name: "chain",
        about: "a chain with an end of a hundred times a link's weight swings down and comes to rest",
        ticks: 1200,
        size_means: "links",
        size: 40,
        small_size: 10,
        max_size: 200,
        fill: chain::fill,
    },
    Scene {
        name: "joint-grid",
        about: "a net of balls that hangs on its upper edge",
        ticks: 600,
        size_means: "balls in a row, and rows",
        size: 100,
        small_size: 8,
        max_size: 200,
        fill: joint_grid::fill,
    },
    Scene {
        name: "ragdolls",
        about: "people of eleven bodies fall on stairs",
        ticks: 600,
        size_means: "ragdolls",
        size: 20,
        small_size: 3,
        max_size: 200,
        fill: ragdolls::fill,
    },
    Scene {
        name: "cradle",
        about: "of balls in a row the first strikes, and the last leaves",
        ticks: 600,
        size_means: "balls",
        size: 5,
        small_size: 5,
        max_size: 40,
        fill: cradle::fill,
    },
    Scene {
        name: "doors",
        about: "doors, a seesaw, a lift, a rope and an engine: all kinds of joints but wheels",
        ticks: 600,
        size_means: "sets of all",
        size: 4,
        small_size: 1,
        max_size: 40,
        fill: doors::fill,
    },
    Scene {
        name: "cars",
        about: "cars go around in circles, over a bump and a ramp",
        ticks: 600,
        size_means: "cars",
        size: 8,
        small_size: 2,
        max_size: 100,
        fill: cars::fill,
    },
    Scene {
        name: "bullets",
        about: "fast balls, boxes and needles fly at walls of 1 cm",
        ticks: 120,
        size_means: "shots, each at a wall of its own",
        size: 30,
        small_size: 6,
        max_size: 200,
        fill: bullets::fill,
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_and_differ() {
        for (index, scene) in Scene::all().iter().enumerate() {
            assert_eq!(Scene::find(scene.name).map(|found| found.about), Some(scene.about));
            assert!(Scene::all()[..index].iter().all(|other| other.name != scene.name));
            assert!((1..=scene.size).contains(&scene.small_size) && scene.size <= scene.max_size);
        }
        assert!(Scene::find("nothing").is_none());
    }

    #[test]
    fn scenes_of_every_size_are_valid() {
        for scene in Scene::all() {
            let mut sizes = [0, 1, 2, 3, scene.size, scene.size + 1];
            sizes.sort_unstable();
            let bodies = sizes.map(|size| {
                scene.build(size, WorldConfig::default()).expect("the default is valid").bodies().count()
            });
            assert!(bodies.is_sorted() && bodies[0] == bodies[1], "{}: {bodies:?}", scene.name);
        }
    }

    #[test]
    fn commands_build_what_is_built() {
        for scene in Scene::all() {
            let mut world = World::new(WorldConfig::default()).expect("the default is valid");
            for command in scene.commands(scene.small_size) {
                world.apply(&command).expect("the world is empty");
            }
            assert_eq!(world.state_hash(), scene.small_world().state_hash(), "{}", scene.name);
        }
    }

    #[test]
    fn bodies_are_as_many_as_other_engines_were_measured_with() {
        let counts = Scene::all()[..5].iter().map(|scene| scene.world().bodies().count());
        assert_eq!(counts.collect::<Vec<_>>(), [466, 1029, 4101, 1001, 108]);
    }

    #[test]
    fn a_configuration_that_makes_no_world_is_refused() {
        let config = WorldConfig { substeps: 0, ..WorldConfig::default() };
        assert!(Scene::all()[0].build(1, config).is_err());
    }
}
