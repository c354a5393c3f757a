//! The game: two balls on a plane, and a count of the ticks in which they are close.

use isostep_cli::Color;
use isostep_collision::{HalfSpace, Sphere};
use isostep_math::{Fx, Vec3, fx, vec3};
use isostep_replay::{Frame, Header, Recorded, Simulation, SimulationError};
use isostep_step::{BodyDef, BodyHandle, BodyView, ColliderDef, Snapshot, World, WorldConfig};
use std::error::Error;

/// What a player does in a tick: where to, from −127 to 127 along x and z.
pub(crate) type Input = [i8; 2];

/// All that the game is: a world, and what is beside it.
pub(crate) struct Tag {
    world: World,
    balls: [BodyHandle; 2],
    /// In how many ticks the balls were close.
    touches: u32,
}

impl Tag {
    /// The name of the game in logs.
    pub(crate) const NAME: &'static str = "tag";

    /// The version of its rules.
    pub(crate) const VERSION: u32 = 1;

    /// The start of a match.
    pub(crate) fn new(seed: u64) -> Result<Self, Box<dyn Error + Send + Sync>> {
        let mut world = World::new(WorldConfig { seed, ..WorldConfig::default() })?;
        let ground = world.add_body(BodyDef::fixed(Vec3::ZERO))?;
        world.add_collider(ground, ColliderDef::new(HalfSpace::ground(fx!(0))))?;
        let mut ball = |x| -> Result<BodyHandle, Box<dyn Error + Send + Sync>> {
            let ball = world.add_body(BodyDef::dynamic(vec3(x, fx!(0.5), fx!(0))))?;
            world.add_collider(ball, ColliderDef::new(Sphere::from_radius(fx!(0.5))?))?;
            Ok(ball)
        };
        let balls = [ball(fx!(-3))?, ball(fx!(3))?];
        Ok(Self { world, balls, touches: 0 })
    }

    /// Advances by a tick.
    pub(crate) fn advance(&mut self, inputs: [Input; 2]) {
        for (ball, [x, z]) in self.balls.into_iter().zip(inputs) {
            let way = vec3(Fx::from_int(x.into()), fx!(0), Fx::from_int(z.into()));
            // The balls stay, so there is no error.
            let _ = self.world.apply_force(ball, way * fx!(20));
        }
        self.world.step();
        let [one, other] = self.balls.map(|ball| self.world.body(ball).map(|ball| ball.position()));
        if let (Some(one), Some(other)) = (one, other) {
            self.touches += u32::from((one - other).length() < fx!(1.1));
        }
    }
}

impl Simulation for Tag {
    const RECORDED: Recorded = Recorded::Inputs { game: Self::NAME, version: Self::VERSION };

    fn start(header: &Header) -> Result<Self, SimulationError> {
        Self::new(header.seed).map_err(SimulationError::Game)
    }

    fn tick(&mut self, frame: &Frame<'_>) -> Result<(), SimulationError> {
        let given = frame.events.inputs();
        let players = given.iter().count();
        if players != 2 {
            return Err(SimulationError::Game(format!("{players} players: tag has two").into()));
        }
        let mut inputs = [Input::default(); 2];
        for (player, (bytes, input)) in given.iter().zip(&mut inputs).enumerate() {
            let &[x, z] = bytes else {
                return Err(SimulationError::Input { player, found: bytes.len(), expected: 2 });
            };
            *input = [x as i8, z as i8];
        }
        self.advance(inputs);
        Ok(())
    }

    fn hash(&self) -> u128 {
        // Of what is beside the world as well: another count is another hash.
        self.world.state_hash() ^ u128::from(self.touches)
    }

    fn save(&self) -> Vec<u8> {
        [&self.touches.to_le_bytes()[..], &self.world.snapshot().to_bytes()].concat()
    }

    fn load(&mut self, state: &[u8]) -> Result<(), SimulationError> {
        let Some((touches, world)) = state.split_first_chunk() else {
            return Err(SimulationError::Game("the state has no count of touches".into()));
        };
        self.world.load(&Snapshot::from_bytes(world)?);
        self.touches = u32::from_le_bytes(*touches);
        Ok(())
    }

    fn world(&self) -> &World {
        &self.world
    }
}

/// The color of a body in pictures.
pub(crate) fn color(body: &BodyView<'_>) -> Option<Color> {
    match body.handle().index {
        1 => Some(Color([200, 60, 50])),
        2 => Some(Color([40, 90, 190])),
        _ => None,
    }
}
