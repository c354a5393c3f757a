//! Pairs that were answered wrongly once, as bits of 2⁻³², and their like: on the surface of each other, with centres
//! inside, next to parallel, thin.

use core::cmp::Ordering;
use isostep_collision::{
    Capsule, Obb, Shape, Sphere, cast_shape, closest_points, distance, manifold, overlap, penetration_of,
};
use isostep_math::{Fx, Pose, Quat, Vec3, fx, vec3};

fn vector(bits: [i64; 3]) -> Vec3 {
    Vec3::from_array(bits.map(Fx::from_bits))
}

fn sphere(center: [i64; 3], radius: i64) -> Shape {
    Sphere::new(vector(center), Fx::from_bits(radius)).unwrap().into()
}

fn capsule(a: [i64; 3], b: [i64; 3], radius: i64) -> Shape {
    Capsule::new(vector(a), vector(b), Fx::from_bits(radius)).unwrap().into()
}

fn cuboid(center: [i64; 3], halves: [i64; 3], rotation: [i64; 4]) -> Shape {
    let rotation = Quat::from_array(rotation.map(Fx::from_bits));
    Obb::new(vector(center), vector(halves), rotation).unwrap().into()
}

fn moved(shape: &Shape, way: Vec3) -> Shape {
    shape.transformed(&Pose::from_translation(way))
}

fn is_near(a: Fx, b: Fx, units: i64) -> bool {
    (a - b).abs() <= Fx::from_bits(units)
}

#[test]
fn a_capsule_without_length_inside_a_box_leaves_through_the_nearest_face() {
    let point = [-4_611_685_647_446_087_326, 4_611_685_201_211_261_270, -4_611_685_096_550_739_298];
    let ball = capsule(point, point, 3_318_373_598_307);
    let obb = cuboid(
        [-4_611_685_124_662_134_982, 4_611_686_020_200_482_414, -4_611_687_089_958_008_782],
        [3_163_240_458_677, 4_702_610_771_953, 2_354_918_730_024],
        [1_672_803_237, 815_141_948, 784_241_235, 3_790_644_100],
    );
    let found = penetration_of(&obb, &ball).unwrap();
    assert_eq!(found.depth, Fx::from_bits(4_171_479_042_630));
    let as_sphere = penetration_of(&obb, &sphere(point, 3_318_373_598_307)).unwrap();
    assert_eq!(as_sphere, found);
    assert!(cast_shape(&ball, Vec3::X, &obb).unwrap().is_inside());
}

#[test]
fn whether_a_point_is_inside_a_box_of_a_few_units_is_told_by_its_axes() {
    let leaf = cuboid(
        [266_287_972_352, -266_287_972_104, 266_287_972_600],
        [15_616, 140_737_488_355_328, 248],
        [-1_753_413_057, -1_753_413_057, -3_506_826_113, 0],
    );
    let inside = sphere([133_143_986_176, 0, 0], 1);
    assert_eq!(overlap::relation(&inside, &leaf), Ordering::Less);
    assert_eq!(distance(&inside, &leaf), Fx::ZERO);
    let grain = capsule([133_143_986_176, 0, 0], [133_143_986_176, 0, 0], 1);
    let depths = [&inside, &grain].map(|shape| penetration_of(shape, &leaf).map(|found| found.depth));
    assert_eq!(depths[0], depths[1]);
    assert!(cast_shape(&inside, Vec3::Y, &leaf).unwrap().is_inside());
}

#[test]
fn capsules_whose_segments_cross_part_across_both() {
    let pole = capsule(
        [-4_611_685_099_914_733_739, 4_611_685_625_355_233_808, 4_611_685_629_353_832_903],
        [-4_611_685_099_914_733_739, 4_611_685_625_355_233_808, 4_611_685_676_047_215_852],
        2_846_315_372_278,
    );
    let beam = capsule(
        [-4_611_685_099_914_733_739, 4_611_707_100_191_713_808, 4_611_685_652_700_524_378],
        [-4_611_685_099_914_733_739, 4_611_664_150_518_753_808, 4_611_685_652_700_524_378],
        22_833_294_106,
    );
    let found = penetration_of(&pole, &beam).unwrap();
    assert_eq!(found.depth, Fx::from_bits(2_869_148_666_384));
    assert_eq!(found.direction.abs(), Vec3::X);
    let contact = manifold::manifold(&pole, &Pose::IDENTITY, &beam, &Pose::IDENTITY, fx!(0));
    assert_eq!(contact.points().len(), 1);
}

#[test]
fn a_ball_in_the_middle_of_a_capsule_leaves_it_sideways() {
    // The residual of a centre on the segment is rounding, and lies along it.
    let third = Fx::from_ratio(1, 3);
    for height in [fx!(0), third, fx!(0.7) - third, Fx::EPSILON] {
        for beside in [Fx::ZERO, Fx::EPSILON] {
            let pole = Capsule::along_y(fx!(1), fx!(0.5)).unwrap().into();
            let ball = Sphere::new(vec3(beside, height, fx!(0)), fx!(0.25)).unwrap().into();
            let found = penetration_of(&pole, &ball).unwrap();
            assert_eq!((found.direction.y, found.depth), (fx!(0), fx!(0.75) - beside), "{height}");
        }
    }
}

#[test]
fn the_contact_of_a_capsule_is_beside_the_ball_that_touches_it() {
    let wire = capsule(
        [-1_055_173_961_055_147_028, 614_847_646_138_687_745, 87_963_446_346_646_989],
        [-1_055_175_188_776_067_028, 614_881_556_740_137_745, 87_989_775_763_986_989],
        17_936_921,
    );
    let center = [-1_055_175_022_016_805_293, 614_876_951_344_246_929, 87_986_199_968_063_581];
    let ball = sphere(center, 4_642_153);
    let contact = manifold::manifold(&wire, &Pose::IDENTITY, &ball, &Pose::IDENTITY, fx!(0));
    let [point] = contact.points() else { panic!("one point: {contact:?}") };
    assert!(is_near((point.anchor_b - vector(center)).length(), Fx::from_bits(4_642_153), 2));
    assert!(is_near((point.anchor_a - point.anchor_b).length(), -point.separation, 2));
}

#[test]
fn boxes_a_unit_apart_or_deep_part_along_a_facet_between_them() {
    let pairs = [
        (
            cuboid(
                [-4_611_685_310_946_217_354, -4_611_693_892_055_475_336, 4_611_704_220_586_554_110],
                [7_767_298, 229_863_907, 56_060_054],
                [-600_899_807, 665_255_418, -3_149_614_375, -2_779_033_648],
            ),
            cuboid(
                [-4_611_685_409_710_214_649, -4_611_685_367_388_764_821, 4_611_685_142_364_542_726],
                [6_343_920_282, 6_154_464, 20_896_312_325_128],
                [-600_899_807, 665_255_418, -3_149_614_375, -2_779_033_648],
            ),
        ),
        (
            cuboid(
                [4_611_685_619_753_747_155, -4_611_685_213_353_802_911, -4_611_685_738_665_550_742],
                [80_828_188, 7_433_039_738, 42_949_672_960_000],
                [-2_862_674_900, -2_752_552_188, 1_292_329_804, -1_002_584_966],
            ),
            cuboid(
                [4_611_676_871_657_448_674, -4_611_745_072_541_850_993, -4_611_746_722_647_642_636],
                [260_949_140, 42_949_672_960_000, 12_588_738],
                [-1_032_533_154, 2_733_151_460, 1_315_282_203, -2_860_163_488],
            ),
        ),
        (
            cuboid(
                [-112_673_376_071_327_959, 637_665_438_450_783_569, -464_884_457_044_954_111],
                [2_395_179_709_737, 3_944_982_755_973, 629_286_119_423],
                [1_508_113_544, 3_566_395_956, -622_614_283, -1_750_859_489],
            ),
            cuboid(
                [-112_677_417_014_805_074, 637_662_301_241_220_233, -464_877_303_228_385_859],
                [1_208_191_823_928, 3_939_815_264_701, 3_824_483_919_046],
                [1_511_977_701, 3_565_768_129, -627_645_903, -1_747_004_802],
            ),
        ),
    ];
    // A normal is right to 2⁻³² of the size, 10 km.
    for (index, (a, b)) in pairs.iter().enumerate() {
        let Some(points) = closest_points(a, b) else { continue };
        assert!(points.distance <= Fx::from_bits(3), "pair {index}: {points:?}");
        for way in [fx!(1), fx!(100)] {
            let apart = distance(a, &moved(b, points.normal * way));
            assert!(is_near(apart, way + points.distance, 4096), "pair {index}: {apart}, not {way}");
        }
    }
}

#[test]
fn the_normal_of_a_grain_beside_a_long_wire_points_at_it() {
    // 58 micrometres apart: the normal of both segments does part them, but by that much less.
    let way = [0, -70_368_744_177_664, 0];
    let wire = capsule(way, way.map(|word| -word), 1);
    let grain = capsule([59_112, -283_397, 241_028], [59_110, -283_395, 241_022], 193);
    let points = closest_points(&wire, &grain).unwrap();
    let apart = distance(&wire, &moved(&grain, points.normal));
    assert!(is_near(apart, fx!(1) + points.distance, 4), "{apart}: {points:?}");
}

#[test]
fn a_box_that_is_thin_beside_its_distance_still_has_three_axes() {
    // Of 2²⁹ m a half extent of one unit is nothing, and the two others are not orthogonal to the capsule.
    let far = fx!(536870912);
    let halves = vec3(fx!(30000), Fx::EPSILON, fx!(30000));
    let slab = Obb::from_half_extents(halves).unwrap().into();
    let center = vec3(-far, far, fx!(0));
    let half = vec3(fx!(10000), fx!(10000), fx!(0));
    let capsule = Capsule::new(center - half, center + half, fx!(1)).unwrap().into();
    let way = vec3(far - fx!(20000), far - fx!(10000), fx!(0));
    let expected = way.length() - fx!(1);
    let found = distance(&slab, &capsule);
    assert!(is_near(found, expected, 64), "{found}, not {expected}");
}

#[test]
fn boxes_whose_edges_differ_in_the_last_bit_have_the_distance_of_their_corners() {
    let a = cuboid(
        [-12_756_327_643, -46_470_670, -204_844_793_716],
        [8_031_066_557, 23_999_629, 11_670_965],
        [29_527, -1_628, 4_294_967_296, 15_960],
    );
    let b = cuboid([0; 3], [8_094_016, 78_293_110, 197_540_752_001], [1_628, 29_527, -15_960, 4_294_967_296]);
    let found = distance(&a, &b);
    assert!(is_near(found, Fx::from_bits(8_683_681_604), 1), "{found}");
}
