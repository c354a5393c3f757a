//! Pictures of worlds: SVG, the same bytes on every machine.
//!
//! A picture is computed in fixed point and written in whole tenths of a pixel, so that it can be compared like a
//! hash. Data passes through these modules:
//!
//! * [`View`] says what is wanted; `solid` turns the colliders of a world into centres, generators and radii.
//! * `scope` finds what the picture is about: bodies that flew away and grounds without end do not count.
//! * `camera` maps the world to the picture, in parallel lines of sight.
//! * `order` sorts solids from back to front, by the planes that separate them.
//! * `paint` draws them and `shadow` what they keep the light from; `contacts` marks where they touch,
//!   `joints` what holds them together.
//! * `plane` has the convex polygons of the picture, `polygon` those of the world, `svg` the text.
//!
//! ```
//! use isostep_collision::{HalfSpace, Obb};
//! use isostep_math::{Vec3, fx};
//! use isostep_render::{View, render};
//! use isostep_step::{BodyDef, ColliderDef, World, WorldConfig};
//!
//! let mut world = World::new(WorldConfig::default())?;
//! let ground = world.add_body(BodyDef::fixed(Vec3::ZERO))?;
//! world.add_collider(ground, ColliderDef::new(HalfSpace::ground(fx!(0))))?;
//! let crate_ = world.add_body(BodyDef::dynamic(Vec3::Y))?;
//! world.add_collider(crate_, ColliderDef::new(Obb::from_half_extents(Vec3::ONE)?))?;
//!
//! let picture = render(&world, &View::new(640, 360)?.captioned("a crate"));
//! assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"));
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```

mod camera;
mod color;
mod contacts;
mod joints;
mod order;
mod paint;
mod picture;
mod plane;
mod polygon;
mod scope;
mod shadow;
mod sheet;
mod solid;
mod svg;
mod view;

pub use color::Color;
pub use picture::render;
pub use sheet::{Frame, MAX_FRAMES, SheetError, contact_sheet};
pub use view::{Direction, MAX_SIZE, MIN_SIZE, Paint, View, ViewError};
