//! [`Source`]: where the worlds of pictures come from, tick by tick.

use crate::scenes::ARENA;
use isostep_collision::Aabb;
use isostep_render::Color;
use isostep_scenes::Scene;
use isostep_scenes::arena::{Arena, Bots, MAX_PLAYERS, Tag, field};
use isostep_step::{BodyView, World, WorldConfig};

/// Worlds, tick by tick.
pub(crate) trait Source {
    /// What they are, in a word or two.
    fn name(&self) -> String;

    /// The world as it is.
    fn world(&self) -> &World;

    /// The hash of all that there is, the game beside the world included.
    fn hash(&self) -> u128;

    /// Goes on by a tick; false where there is no further one.
    fn advance(&mut self) -> bool;

    /// What pictures show; `None` for what moves.
    fn focus(&self) -> Option<Aabb> {
        None
    }

    /// The color of a body; `None` for one without a color of its own.
    fn color(&self, _body: &BodyView<'_>) -> Option<Color> {
        None
    }
}

/// The source of a scene, or of the demo game; `None` where nothing has that name. Sizes are held to what there is.
pub(crate) fn of_name(name: &str, size: Option<u32>, awake: bool) -> Option<Box<dyn Source>> {
    if name == ARENA {
        let players = size.map_or(MAX_PLAYERS, |size| size as usize).clamp(1, MAX_PLAYERS);
        return Some(Box::new(Game { arena: Arena::new(players, 0), bots: Bots::new(players, 0) }));
    }
    let scene = Scene::find(name)?;
    let config = WorldConfig { sleeping: !awake, ..WorldConfig::default() };
    let world = scene.build(size.unwrap_or(scene.size), config).ok()?;
    Some(Box::new(Running { scene, world }))
}

struct Running {
    scene: &'static Scene,
    world: World,
}

impl Source for Running {
    fn name(&self) -> String {
        self.scene.name.to_owned()
    }

    fn world(&self) -> &World {
        &self.world
    }

    fn hash(&self) -> u128 {
        self.world.state_hash()
    }

    fn advance(&mut self) -> bool {
        self.world.step();
        true
    }
}

struct Game {
    arena: Arena,
    bots: Bots,
}

impl Source for Game {
    fn name(&self) -> String {
        ARENA.to_owned()
    }

    fn world(&self) -> &World {
        self.arena.world()
    }

    fn hash(&self) -> u128 {
        self.arena.hash()
    }

    fn advance(&mut self) -> bool {
        let inputs = self.bots.inputs(&self.arena);
        self.arena.tick(&inputs);
        true
    }

    fn focus(&self) -> Option<Aabb> {
        Some(field())
    }

    fn color(&self, body: &BodyView<'_>) -> Option<Color> {
        Tag::of_body(body).color().map(Color)
    }
}
