//! Collision in the plane.

use super::Recorder;
use isostep_collision::planar::{
    Circle, Obb2, Polygon, Rotation2, Shape2, distance, manifold, penetrates, penetration,
};
use isostep_math::random::Rng;
use isostep_math::{Fx, Vec2};

pub(super) fn planar(out: &mut Recorder) {
    let mut rng = Rng::new(0x2D, 0);
    for _ in 0..2000 {
        let (a, b) = (shape(&mut rng), shape(&mut rng));
        out.bits(i64::from(penetrates(&a, &b)));
        out.number(distance(&a, &b));
        if let Some(deep) = penetration(&a, &b) {
            out.numbers(deep.direction.to_array());
            out.number(deep.depth);
        }
        if let Some(contact) = manifold(&a, &b, Fx::from_ratio(1, 20)) {
            out.numbers(contact.normal().to_array());
            for point in contact.points() {
                out.numbers(point.point_a.to_array());
                out.numbers(point.point_b.to_array());
                out.number(point.separation);
            }
        }
    }
}

fn shape(rng: &mut Rng) -> Shape2 {
    let center = rng.unit_vec2() * rng.fx_range(Fx::ZERO, Fx::TWO);
    let mut side = || rng.fx_range(Fx::from_ratio(1, 10), Fx::ONE);
    let half = Vec2::new(side(), side());
    match rng.below(3) {
        0 => Circle::new(center, half.x).expect("a radius above zero").into(),
        1 => {
            let rotation = Rotation2::from_angle(rng.angle());
            Obb2::new(center, half, rotation).expect("extents above zero").into()
        }
        _ => {
            let corners = [(); 7].map(|()| center + rng.unit_vec2() * half.y);
            Polygon::from_points(&corners)
                .map_or_else(|_| Circle::new(center, half.y).expect("a radius").into(), Into::into)
        }
    }
}
