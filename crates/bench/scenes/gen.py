#!/usr/bin/env python3
"""Writes the scenes and rays next to it: python3 gen.py. README.md describes the format."""

import math
import pathlib

HERE = pathlib.Path(__file__).parent
UPRIGHT = (0, 0, 0, 1)
CUBE = (.5, .5, .5)


class Random:
    """A linear congruential generator, so that the files do not depend on the version of Python."""

    def __init__(self, seed):
        self.state = seed

    def between(self, low, high):
        """A number, rounded to 1/1024."""
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) & ((1 << 64) - 1)
        return round((low + (high - low) * ((self.state >> 33) % 100003) / 100002.0) * 1024) / 1024.0


def turned(axis, angle):
    length = math.sqrt(sum(part * part for part in axis)) or 1.0
    sine = math.sin(angle / 2) / length
    return (axis[0] * sine, axis[1] * sine, axis[2] * sine, math.cos(angle / 2))


def words(numbers):
    return " ".join("%.9g" % number for number in numbers)


def box(motion, half, position, rotation=UPRIGHT, velocity=(0, 0, 0)):
    return f"box {motion} " + words((*half, *position, *rotation, *velocity))


def sphere(radius, position, velocity=(0, 0, 0)):
    return "sphere d " + words((radius, 0, 0, *position, *UPRIGHT, *velocity))


def write(name, steps, lines):
    (HERE / name).write_text(f"steps {steps}\n" + "\n".join(lines) + "\n")


def pit(half, wall=20.0):
    lines = [box("s", (50, 1, 50), (0, -1, 0))]
    lines += [box("s", (1, wall, half + 2), (side * (half + 1), wall, 0)) for side in (-1, 1)]
    lines += [box("s", (half + 2, wall, 1), (0, wall, side * (half + 1))) for side in (-1, 1)]
    return lines


def layer_offset(layer):
    """So that no body lies exactly on the one below."""
    return [.25, -.25, .125, -.1875][layer % 4], [-.125, .25, .1875, -.25][(layer // 2) % 4]


def pyramid(base=30):
    lines = [box("s", (100, 1, 100), (0, -1, 0))]
    for row in range(base):
        for place in range(row, base):
            lines.append(box("d", CUBE, ((row + 1) * .5 + (place - row) - .5 * base, row + .5, 0)))
    return lines


def pile_of_boxes():
    random, lines = Random(2), pit(6.0)
    for layer in range(16):
        dx, dz = layer_offset(layer)
        for i in range(8):
            for j in range(8):
                axis = [random.between(-1, 1) for _ in range(3)]
                rotation = turned(axis, random.between(-.3, .3))
                # Sideways, so that the layers mix.
                velocity = (random.between(-3, 3), 0, random.between(-3, 3))
                position = ((i - 3.5) * 1.25 + dx, 1.0 + layer * 1.5, (j - 3.5) * 1.25 + dz)
                lines.append(box("d", CUBE, position, rotation, velocity))
    return lines


def pile_of_spheres():
    random, lines = Random(3), pit(10.0)
    for layer in range(16):
        dx, dz = layer_offset(layer)
        for i in range(16):
            for j in range(16):
                x = (i - 7.5) * 1.2 + dx + random.between(-.05, .05)
                z = (j - 7.5) * 1.2 + dz + random.between(-.05, .05)
                lines.append(sphere(.5, (x, 1.0 + layer * 1.2, z)))
    return lines


def stacks():
    lines = [box("s", (100, 1, 100), (0, -1, 0))]
    for a in range(20):
        for b in range(10):
            lines += [box("d", CUBE, ((a - 9.5) * 6, level + .5, (b - 4.5) * 6)) for level in range(5)]
    return lines


def tiny_match():
    random, lines = Random(5), [box("s", (14, 1, 14), (0, -1, 0))]
    lines += [box("s", (1, 6, 14), (side * 13, 6, 0)) for side in (-1, 1)]
    lines += [box("s", (14, 6, 1), (0, 6, side * 13)) for side in (-1, 1)]
    for a in range(11):
        for b in range(5):
            half = (random.between(.3, .7), random.between(.2, 1.2), random.between(.3, .7))
            rotation = turned((0, 1, 0), random.between(-.5, .5))
            lines.append(box("s", half, ((a - 5) * 2.1, half[1], (b - 2) * 4.2), rotation))
    for i in range(32):
        half = [random.between(.25, .5) for _ in range(3)]
        z = ((i // 8) % 2 - .5) * 7 + random.between(-1, 1)
        axis = [random.between(-1, 1) for _ in range(3)]
        rotation = turned(axis, random.between(-.8, .8))
        velocity = (random.between(-5, 5), random.between(-1, 2), random.between(-5, 5))
        lines.append(box("d", half, ((i % 8 - 3.5) * 2.6, 3.5 + 1.5 * (i // 16), z), rotation, velocity))
    for i in range(16):
        radius = random.between(.3, .5)
        position = ((i % 8 - 3.5) * 2.6 + 1.2, 3.5 + 1.5 * (i // 8), random.between(-2, 2))
        velocity = (random.between(-6, 6), random.between(-1, 2), random.between(-6, 6))
        lines.append(sphere(radius, position, velocity))
    return lines


def rays(count):
    """From a ring above the pile of boxes to places in it."""
    random = Random(6)
    for i in range(count):
        angle = 2 * math.pi * i / 1000.0
        origin = (5 * math.cos(angle), 30.0, 5 * math.sin(angle))
        target = (random.between(-6, 6), random.between(0, 10), random.between(-6, 6))
        way = [end - start for start, end in zip(origin, target)]
        length = math.sqrt(sum(part * part for part in way))
        yield words((*origin, *(part / length for part in way)))


write("s1.txt", 300, pyramid())
write("s2.txt", 600, pile_of_boxes())
write("s3.txt", 600, pile_of_spheres())
write("s4.txt", 300, stacks())
write("s5.txt", 1000, tiny_match())
(HERE / "rays-2000.txt").write_text("\n".join(rays(2000)) + "\n")
