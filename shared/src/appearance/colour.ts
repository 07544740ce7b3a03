/** A colour of sRGB as `#rrggbb`. */
export type Colour = `#${string}`;

/** Lightness (0 to 1), chroma (0 to about 0.37) and hue (radians): https://www.w3.org/TR/css-color-4/#ok-lab */
type Oklch = { lightness: number; chroma: number; hue: number };

type Triple = [number, number, number];

const toChannels = (colour: Colour): Triple =>
  [1, 3, 5].map((start) => Number.parseInt(colour.slice(start, start + 2), 16) / 255) as Triple;

const toLinear = (channel: number): number =>
  channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;

const toGamma = (channel: number): number =>
  channel <= 0.0031308 ? 12.92 * channel : 1.055 * channel ** (1 / 2.4) - 0.055;

const toColour = (linear: Triple): Colour => {
  const digits = linear.map((channel) => {
    const byte = Math.round(Math.min(1, toGamma(Math.max(0, channel))) * 255);
    return byte.toString(16).padStart(2, '0');
  });
  return `#${digits.join('')}`;
};

/** https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
const getLuminance = (colour: Colour): number => {
  const [red, green, blue] = toChannels(colour).map(toLinear) as Triple;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

/** 1 to 21: https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
export const getContrast = (one: Colour, other: Colour): number => {
  const [darker = 0, lighter = 0] = [getLuminance(one), getLuminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
};

const multiply = (rows: [Triple, Triple, Triple], [a, b, c]: Triple): Triple =>
  rows.map(([x, y, z]) => x * a + y * b + z * c) as Triple;

// The matrices of https://bottosson.github.io/posts/oklab/
const LINEAR_TO_CONES: [Triple, Triple, Triple] = [
  [0.4122214708, 0.5363325363, 0.0514459929],
  [0.2119034982, 0.6806995451, 0.1073969566],
  [0.0883024619, 0.2817188376, 0.6299787005],
];
const CONES_TO_LAB: [Triple, Triple, Triple] = [
  [0.2104542553, 0.793617785, -0.0040720468],
  [1.9779984951, -2.428592205, 0.4505937099],
  [0.0259040371, 0.7827717662, -0.808675766],
];
const LAB_TO_CONES: [Triple, Triple, Triple] = [
  [1, 0.3963377774, 0.2158037573],
  [1, -0.1055613458, -0.0638541728],
  [1, -0.0894841775, -1.291485548],
];
const CONES_TO_LINEAR: [Triple, Triple, Triple] = [
  [4.0767416621, -3.3077115913, 0.2309699292],
  [-1.2684380046, 2.6097574011, -0.3413193965],
  [-0.0041960863, -0.7034186147, 1.707614701],
];

const toLab = (colour: Colour): Triple => {
  const cones = multiply(LINEAR_TO_CONES, toChannels(colour).map(toLinear) as Triple);
  return multiply(CONES_TO_LAB, cones.map(Math.cbrt) as Triple);
};

const labToOklch = ([lightness, a, b]: Triple): Oklch => ({
  lightness,
  chroma: Math.hypot(a, b),
  hue: Math.atan2(b, a),
});

export const toOklch = (colour: Colour): Oklch => labToOklch(toLab(colour));

const toLinearRgb = ({ lightness, chroma, hue }: Oklch): Triple => {
  const cones = multiply(LAB_TO_CONES, [lightness, chroma * Math.cos(hue), chroma * Math.sin(hue)]);
  return multiply(CONES_TO_LINEAR, cones.map((cone) => cone ** 3) as Triple);
};

const isInGamut = (linear: Triple): boolean =>
  linear.every((channel) => channel >= -0.0005 && channel <= 1.0005);

/** Where sRGB does not have the colour, the chroma shrinks until it does; hue and lightness stay. */
export const fromOklch = (colour: Oklch): Colour => {
  let chroma = Math.max(0, colour.chroma);
  while (chroma > 0 && !isInGamut(toLinearRgb({ ...colour, chroma }))) chroma -= 0.004;
  return toColour(toLinearRgb({ ...colour, chroma: Math.max(0, chroma) }));
};

/** Mixes in OKLab. `part` is that of the first colour, 0 to 1. */
export const mix = (one: Colour, other: Colour, part: number): Colour => {
  const [first, second] = [toLab(one), toLab(other)];
  const mixed = first.map((value, index) => value * part + (second[index] ?? 0) * (1 - part)) as Triple;
  return fromOklch(labToOklch(mixed));
};
