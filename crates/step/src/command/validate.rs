//! Which values commands take: what definitions and snapshots are held to.

use super::CommandError;
use crate::body::{BodyDef, BodyKind, MAX_COORDINATE, MAX_DAMPING, MAX_GRAVITY_SCALE};
use crate::collider::ColliderDef;
use crate::filter::LAYERS;
use isostep_collision::{Mass, MassError, Shape};
use isostep_math::{Fx, Pose, Quat, Vec3};

/// # Errors
/// If the position is out of range or the rotation not of unit length.
pub(crate) fn validate_pose(of: &'static str, pose: &Pose) -> Result<(), CommandError> {
    validate_position(of, pose.translation)?;
    validate_rotation(of, pose.rotation)
}

/// # Errors
/// If it is out of range.
pub(crate) fn validate_position(of: &'static str, position: Vec3) -> Result<(), CommandError> {
    if position.abs().max_element() > MAX_COORDINATE {
        return Err(CommandError::PositionOutOfRange { of, position });
    }
    Ok(())
}

/// Where a shape is on its body. A half-space has no end.
///
/// # Errors
/// If it reaches out of the range of positions.
pub(crate) fn validate_place(shape: &Shape) -> Result<(), CommandError> {
    if matches!(shape, Shape::HalfSpace(_)) {
        return Ok(());
    }
    let aabb = shape.to_aabb();
    [aabb.min(), aabb.max()].into_iter().try_for_each(|corner| validate_position("the shape", corner))
}

/// # Errors
/// If it is not of unit length.
pub(crate) fn validate_rotation(of: &'static str, rotation: Quat) -> Result<(), CommandError> {
    if rotation.is_normalized() { Ok(()) } else { Err(CommandError::UnnormalizedRotation { of, rotation }) }
}

/// # Errors
/// If it is out of range.
pub(crate) fn validate_gravity_scale(value: Fx) -> Result<(), CommandError> {
    if value.abs() > MAX_GRAVITY_SCALE {
        return Err(CommandError::GravityScaleOutOfRange { value });
    }
    Ok(())
}

/// # Errors
/// If one of them is out of range.
pub(crate) fn validate_damping(linear: Fx, angular: Fx) -> Result<(), CommandError> {
    for (field, value) in [("linear damping", linear), ("angular damping", angular)] {
        if value.is_negative() || value > MAX_DAMPING {
            return Err(CommandError::DampingOutOfRange { field, value });
        }
    }
    Ok(())
}

/// # Errors
/// If a fixed body would have a velocity.
fn validate_rest(field: &'static str, velocity: Vec3) -> Result<(), CommandError> {
    if velocity == Vec3::ZERO { Ok(()) } else { Err(CommandError::FixedWithVelocity { field, velocity }) }
}

/// # Errors
/// If the layer does not exist.
pub(crate) fn validate_layer(layer: u8) -> Result<(), CommandError> {
    if usize::from(layer) >= LAYERS {
        return Err(CommandError::LayerOutOfRange { layer });
    }
    Ok(())
}

impl BodyDef {
    /// # Errors
    /// If a field is out of its range; if a fixed body has a velocity, or one that is not dynamic a mass.
    pub fn validate(&self) -> Result<(), CommandError> {
        validate_pose("the body", &self.pose)?;
        validate_gravity_scale(self.gravity_scale)?;
        validate_damping(self.linear_damping, self.angular_damping)?;
        if self.kind == BodyKind::Fixed {
            validate_rest("linear velocity", self.linear_velocity)?;
            validate_rest("angular velocity", self.angular_velocity)?;
        }
        match self.mass {
            Some(value) if self.kind != BodyKind::Dynamic => Err(CommandError::MassWithoutForces { value }),
            Some(value) => Ok(Mass::new(value).map(drop)?),
            None => Ok(()),
        }
    }
}

impl ColliderDef {
    /// # Errors
    /// If a field is out of its range.
    pub fn validate(&self) -> Result<(), CommandError> {
        validate_pose("the collider", &self.pose)?;
        self.material.validate()?;
        validate_layer(self.filter.layer)?;
        if self.density <= Fx::ZERO {
            return Err(MassError::NonPositiveDensity { value: self.density }.into());
        }
        Ok(())
    }
}
