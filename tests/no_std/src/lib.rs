//! A world without the standard library. With it there would be two handlers of panics, and this did not compile.

#![no_std]

use core::alloc::{GlobalAlloc, Layout};
use core::panic::PanicInfo;
use isostep::prelude::*;
use isostep::step::Snapshot;

struct Malloc;

unsafe extern "C" {
    fn aligned_alloc(alignment: usize, size: usize) -> *mut u8;
    fn free(pointer: *mut u8);
}

// SAFETY: what the C library gives is aligned as asked, and is given back to it.
unsafe impl GlobalAlloc for Malloc {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: layouts have alignments that are powers of two.
        unsafe { aligned_alloc(layout.align(), layout.size().next_multiple_of(layout.align())) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, _: Layout) {
        // SAFETY: it came from `alloc`.
        unsafe { free(pointer) }
    }
}

#[global_allocator]
static ALLOCATOR: Malloc = Malloc;

#[panic_handler]
fn stop(_: &PanicInfo<'_>) -> ! {
    loop {}
}

/// Lets a ball fall for so many ticks, rolls half of them back and does them again: the hash of what comes of it, 0 for none.
#[unsafe(no_mangle)]
pub extern "C" fn isostep_no_std_fall(ticks: u32) -> u64 {
    fall(ticks).map_or(0, |hash| hash as u64)
}

fn fall(ticks: u32) -> Option<u128> {
    let mut world = World::new(WorldConfig::default()).ok()?;
    let ground = world.add_body(BodyDef::fixed(Vec3::ZERO)).ok()?;
    world.add_collider(ground, ColliderDef::new(HalfSpace::ground(fx!(0)))).ok()?;
    let ball = world.add_body(BodyDef::dynamic(Vec3::Y)).ok()?;
    world.add_collider(ball, ColliderDef::new(Sphere::from_radius(fx!(0.5)).ok()?)).ok()?;
    let step = |world: &mut World, ticks: u32| (0..ticks).for_each(|_| world.step());
    step(&mut world, ticks / 2);
    let half = Snapshot::from_bytes(&world.snapshot().to_bytes()).ok()?;
    step(&mut world, ticks / 2);
    let whole = world.state_hash();
    world.load(&half);
    step(&mut world, ticks / 2);
    (world.state_hash() == whole).then_some(whole)
}
