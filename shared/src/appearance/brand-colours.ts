import { type Colour, fromOklch, getContrast, mix, toOklch } from './colour.ts';

export type Scheme = 'light' | 'dark';

/** The grounds and the text of web/style.css, and how far a link must stand out from each ground. */
const SCHEMES = {
  light: {
    page: '#ffffff',
    surface: '#f9f9fb',
    raised: '#ffffff',
    hover: '#f0f0f3',
    text: '#1c2024',
    linkContrast: 4.5,
    /** The step of the lightness that leads away from the page. */
    away: -0.005,
    ground: { lightness: 0.969, chroma: 0.07 },
    shape: { lightness: 0.947, chroma: 0.12 },
    tint: 0.1,
  },
  dark: {
    page: '#111113',
    surface: '#18191b',
    raised: '#1c1d20',
    hover: '#212225',
    text: '#edeef0',
    linkContrast: 6,
    away: 0.005,
    ground: { lightness: 0.195, chroma: 0.06 },
    shape: { lightness: 0.225, chroma: 0.09 },
    tint: 0.18,
  },
} as const;

/** WCAG 2.2, 1.4.3 and 1.4.11. */
const TEXT_CONTRAST = 4.5;
const PART_CONTRAST = 3;
const TEXTS = ['#ffffff', '#16181b'] as const;
/** A brand with less chroma is black, white or grey. */
const GREY_CHROMA = 0.03;

/** The accent colour of web/style.css. */
const DEFAULT_COLOUR: Colour = '#3e63dd';

/** ACCENT_COLOUR and ACCENT_COLOUR_DARK. */
export type AccentSettings = { colour: Colour | undefined; dark: Colour | undefined };

/** The colours of a brand for a page or mail in one colour scheme. */
export type BrandColours = {
  /** Buttons. */
  accent: Colour;
  onAccent: Colour;
  accentPressed: Colour;
  /** The frame of a button. */
  accentLine: Colour;
  /** Links, focus rings and the caret. */
  link: Colour;
  /** A link in the colour of the text must be underlined. */
  linkLine: 'none' | 'underline';
  /** Avatars and banners. */
  tint: Colour;
  /** Behind the sign-in card, with its large shapes. */
  ground: Colour;
  shape: Colour;
  panel: Colour;
  onPanel: Colour;
  panelShape: Colour;
};

/** White or nearly black, whichever can be read on the colour first; one of white and black always can. */
const findTextColour = (background: Colour): Colour =>
  TEXTS.find((text) => getContrast(background, text) >= TEXT_CONTRAST) ?? '#000000';

/** Changes the lightness in small steps until the colour is good, or black or white. */
const moveUntil = (colour: Colour, step: number, isGood: (colour: Colour) => boolean): Colour => {
  const oklch = toOklch(colour);
  let { lightness } = oklch;
  let moved = colour;
  while (!isGood(moved) && lightness > 0 && lightness < 1) {
    lightness = Math.min(1, Math.max(0, lightness + step));
    moved = fromOklch({ ...oklch, lightness });
  }
  return moved;
};

/** The colour of a pressed button: further away from its text, so that the contrast grows, unless it is black or white. */
const findPressed = (accent: Colour, text: Colour): Colour => {
  const { lightness, chroma, hue } = toOklch(accent);
  if (lightness < 0.1) return fromOklch({ lightness: 0.3, chroma: 0, hue: 0 });
  if (lightness > 0.99) return fromOklch({ lightness: 0.92, chroma: 0, hue: 0 });
  const pressed = text === '#ffffff' ? lightness - 0.05 : Math.min(1, lightness + 0.05);
  return fromOklch({ lightness: pressed, chroma, hue });
};

const findPanelShape = (brand: Colour, text: Colour): Colour =>
  toOklch(brand).lightness < 0.1 ? '#161616' : mix(text === '#ffffff' ? '#000000' : '#ffffff', brand, 0.12);

/**
 * Derives the colours of a scheme from one brand colour. Every colour is possible: texts have at least 4.5:1,
 * frames of buttons 3:1, links 4.5:1 (dark 6:1) against all that they stand on. The hue is kept.
 */
export const deriveBrandColours = (brand: Colour, name: Scheme): BrandColours => {
  const scheme = SCHEMES[name];
  const isGrey = toOklch(brand).chroma < GREY_CHROMA;
  const standsOut = (colour: Colour) =>
    [scheme.page, scheme.surface, scheme.raised].every(
      (ground) => getContrast(colour, ground) >= PART_CONTRAST,
    );
  const findAccent = (): Colour => {
    // A black or white brand that vanishes on the page takes the colour of the text.
    if (isGrey && !standsOut(brand)) return scheme.text;
    // On light pages the frame makes up for a pale button.
    return name === 'dark' ? moveUntil(brand, scheme.away, standsOut) : brand;
  };
  const accent = findAccent();
  const onAccent = findTextColour(accent);
  const { chroma, hue } = toOklch(accent);
  // A fixed lightness, so that a dark brand does not make the ground dim.
  const fullChroma = isGrey ? 0 : Math.max(chroma, 0.12);
  const toGround = (part: { lightness: number; chroma: number }) =>
    fromOklch({ lightness: part.lightness, chroma: part.chroma * fullChroma, hue });
  const [ground, shape] = [toGround(scheme.ground), toGround(scheme.shape)];
  const tint = mix(accent, scheme.page, scheme.tint * (isGrey ? 0.45 : 1));
  const grounds = [scheme.page, scheme.surface, scheme.raised, scheme.hover, tint, ground, shape];
  // A white panel would glare beside a dark page.
  const panel = isGrey && name === 'dark' && findTextColour(brand) !== '#ffffff' ? ground : brand;
  const onPanel = findTextColour(panel);
  return {
    accent,
    onAccent,
    accentPressed: findPressed(accent, onAccent),
    accentLine: standsOut(accent) ? accent : moveUntil(accent, scheme.away, standsOut),
    link: isGrey
      ? scheme.text
      : moveUntil(brand, scheme.away, (colour) =>
          grounds.every((background) => getContrast(colour, background) >= scheme.linkContrast),
        ),
    linkLine: isGrey ? 'underline' : 'none',
    tint,
    ground,
    shape,
    panel,
    onPanel,
    panelShape: findPanelShape(panel, onPanel),
  };
};

/** The colours of both schemes. ACCENT_COLOUR_DARK follows the same rules. */
export const readBrand = ({ colour = DEFAULT_COLOUR, dark = colour }: AccentSettings) => ({
  light: deriveBrandColours(colour, 'light'),
  dark: deriveBrandColours(dark, 'dark'),
});
