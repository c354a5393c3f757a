//! A pile of bodies, and a game in which two players push balls: what these tests record.
#![allow(dead_code, reason = "each test uses some of it")]

use isostep_collision::{HalfSpace, Obb, Sphere};
use isostep_math::random::Rng;
use isostep_math::{Fx, Vec3, fx, vec3};
use isostep_replay::{
    Frame, GameRecorder, Header, Recorded, Recorder, Simulation, SimulationError, WriterOptions,
};
use isostep_step::{BodyDef, BodyHandle, ColliderDef, Command, Outcome, Snapshot, World, WorldConfig};

/// What the user's data of the bodies of a pile begin with: found again in bytes.
pub(crate) const MARK: u64 = 0x5EED_0000_1234_0000;

/// Boxes and balls over a ground.
pub(crate) fn pile(count: u32) -> World {
    let mut world = World::new(WorldConfig { seed: 3, ..WorldConfig::default() }).unwrap();
    let ground = world.add_body(BodyDef::fixed(Vec3::ZERO)).unwrap();
    world.add_collider(ground, ColliderDef::new(HalfSpace::ground(fx!(0)))).unwrap();
    for index in 0..count {
        let place = vec3(
            Fx::from_ratio(i64::from(index % 3) * 7, 10),
            Fx::from_int(index as i32) + fx!(1),
            Fx::from_ratio(i64::from(index % 2) * 3, 10),
        );
        let def = BodyDef { user_data: MARK + u64::from(index), ..BodyDef::dynamic(place) };
        let body = world.add_body(def).unwrap();
        let collider = match index % 2 {
            0 => ColliderDef::new(Obb::from_half_extents(Vec3::splat(fx!(0.5))).unwrap()),
            _ => ColliderDef::new(Sphere::from_radius(fx!(0.5)).unwrap()),
        };
        world.add_collider(body, collider).unwrap();
    }
    world
}

/// What is done to a pile before a tick: now and then a push, and seldom something new.
pub(crate) fn push(world: &World, rng: &mut Rng) -> Vec<Command> {
    let bodies: Vec<_> = world.bodies().skip(1).map(|body| body.handle()).collect();
    let mut commands = Vec::new();
    if rng.below(8) == 0 {
        let body = bodies[rng.below(bodies.len() as u32) as usize % bodies.len()];
        let mut part = || Fx::from_int(rng.range_i32(-2000, 2000));
        let impulse = vec3(part(), part(), part());
        commands.push(Command::ApplyImpulse { body, impulse });
    }
    if rng.below(50) == 0 {
        commands.push(Command::DrawRandom { stream: 1 });
    }
    commands
}

/// A log of a pile that is pushed about.
pub(crate) fn command_log(
    ticks: u32,
    options: WriterOptions,
    header: impl FnOnce(Header) -> Header,
) -> (World, Vec<u8>) {
    let world = pile(6);
    let (mut rng, header) = (Rng::new(5, 0), header(Header::commands(&world)));
    let mut recorder = Recorder::new(world, Vec::new(), header, options).unwrap();
    for _ in 0..ticks {
        for command in push(recorder.world(), &mut rng) {
            recorder.apply(&command).unwrap();
        }
        recorder.step().unwrap();
    }
    recorder.finish().unwrap()
}

/// Two balls; the bytes of an input are a push along x and z.
#[derive(Clone, Debug)]
pub(crate) struct Pushing {
    pub(crate) world: World,
    pub(crate) balls: [BodyHandle; 2],
    /// How often anybody pushed: what the game keeps beside the world.
    pub(crate) pushes: u32,
}

impl Pushing {
    pub(crate) fn new() -> Self {
        let mut world = World::new(WorldConfig::default()).unwrap();
        let ground = world.add_body(BodyDef::fixed(Vec3::ZERO)).unwrap();
        world.add_collider(ground, ColliderDef::new(HalfSpace::ground(fx!(0)))).unwrap();
        let balls = [fx!(-2), fx!(2)].map(|x| {
            let ball = Command::AddBody(BodyDef::dynamic(vec3(x, fx!(0.5), fx!(0))));
            let Ok(Outcome::Body(ball)) = world.apply(&ball) else { unreachable!("there is room") };
            world.add_collider(ball, ColliderDef::new(Sphere::from_radius(fx!(0.5)).unwrap())).unwrap();
            ball
        });
        Self { world, balls, pushes: 0 }
    }

    pub(crate) fn header() -> Header {
        Header::inputs("pushing", 3, 2, 0)
    }

    pub(crate) fn play(&mut self, inputs: &[[u8; 2]; 2]) {
        for (ball, [x, z]) in self.balls.into_iter().zip(*inputs) {
            if [x, z] != [0, 0] {
                self.pushes += 1;
                let part = |byte: u8| Fx::from_int(i32::from(byte as i8));
                self.world.apply_impulse(ball, vec3(part(x), fx!(0), part(z)) * fx!(20)).unwrap();
            }
        }
        self.world.step();
    }

    /// What the players do in a tick.
    pub(crate) fn inputs(rng: &mut Rng) -> [[u8; 2]; 2] {
        [0, 1].map(|_| if rng.below(4) == 0 { [rng.below(256) as u8, rng.below(256) as u8] } else { [0, 0] })
    }
}

impl Simulation for Pushing {
    const RECORDED: Recorded = Recorded::Inputs { game: "pushing", version: 3 };

    fn start(_: &Header) -> Result<Self, SimulationError> {
        Ok(Self::new())
    }

    fn tick(&mut self, frame: &Frame<'_>) -> Result<(), SimulationError> {
        let mut inputs = [[0; 2]; 2];
        for (player, (input, bytes)) in inputs.iter_mut().zip(frame.events.inputs().iter()).enumerate() {
            let found = bytes.len();
            *input = bytes.try_into().map_err(|_| SimulationError::Input { player, found, expected: 2 })?;
        }
        self.play(&inputs);
        Ok(())
    }

    fn hash(&self) -> u128 {
        self.world.state_hash() ^ u128::from(self.pushes)
    }

    fn save(&self) -> Vec<u8> {
        let mut bytes = self.pushes.to_le_bytes().to_vec();
        self.world.snapshot().write(&mut bytes);
        bytes
    }

    fn load(&mut self, state: &[u8]) -> Result<(), SimulationError> {
        let (pushes, world) =
            state.split_first_chunk().ok_or_else(|| SimulationError::Game("too short".into()))?;
        self.world.load(&Snapshot::from_bytes(world)?);
        self.pushes = u32::from_le_bytes(*pushes);
        Ok(())
    }

    fn world(&self) -> &World {
        &self.world
    }
}

/// A log of a game of pushing.
pub(crate) fn input_log(ticks: u32, options: WriterOptions, header: Header) -> (Pushing, Vec<u8>) {
    let (mut game, mut rng) = (Pushing::new(), Rng::new(9, 0));
    let mut recorder = GameRecorder::new(&game, Vec::new(), header, options).unwrap();
    for _ in 0..ticks {
        let inputs = Pushing::inputs(&mut rng);
        game.play(&inputs);
        recorder.tick(&inputs, &game).unwrap();
    }
    let log = recorder.finish(&game).unwrap();
    (game, log)
}
