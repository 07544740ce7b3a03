import { expect } from 'chai';
import { deriveBrandColours, readBrand, type Scheme } from './brand-colours.ts';
import { type Colour, getContrast, toOklch } from './colour.ts';

const GROUNDS = {
  light: ['#ffffff', '#f9f9fb', '#f0f0f3'],
  dark: ['#111113', '#18191b', '#1c1d20', '#212225'],
} as const;
const GREY_TEXT = { light: '#60646c', dark: '#b0b4ba' } as const;
const LINK_CONTRAST = { light: 4.5, dark: 6 } as const;
const SCHEMES: Scheme[] = ['light', 'dark'];

const toHex = (value: number) => value.toString(16).padStart(2, '0');
const STEPS = Array.from({ length: 6 }, (_, index) => toHex(index * 51));
const COLOURS = STEPS.flatMap((red) =>
  STEPS.flatMap((green) => STEPS.map((blue): Colour => `#${red}${green}${blue}`)),
);

const min = (values: number[]): number => Math.min(...values);

const withContrast = (colour: Colour, grounds: readonly Colour[]): string =>
  `${colour} ${min(grounds.map((ground) => getContrast(colour, ground))).toFixed(1)}`;

/** The smallest hue between two colours, in degrees. */
const getTurn = (one: Colour, other: Colour): number => {
  const turn = Math.abs(toOklch(one).hue - toOklch(other).hue) * (180 / Math.PI);
  return Math.min(turn, 360 - turn);
};

describe('colours of a brand', () => {
  for (const scheme of SCHEMES)
    it(`can be read on ${scheme} pages, whatever the brand's colour`, () => {
      for (const brand of COLOURS) {
        const colours = deriveBrandColours(brand, scheme);
        const { accent, onAccent, accentPressed, accentLine, link, tint, ground, shape } = colours;
        const grounds = [...GROUNDS[scheme], tint, ground, shape];
        const contrasts = {
          text: getContrast(onAccent, accent),
          pressed: getContrast(onAccent, accentPressed),
          panel: min([colours.panel, colours.panelShape].map((panel) => getContrast(colours.onPanel, panel))),
          grey: min(grounds.map((background) => getContrast(GREY_TEXT[scheme], background))),
        };
        for (const [name, contrast] of Object.entries(contrasts))
          expect(contrast, `${name} of ${brand}`).to.be.at.least(4.5);
        expect(
          min(GROUNDS[scheme].slice(0, -1).map((page) => getContrast(accentLine, page))),
          brand,
        ).to.be.least(3);
        expect(min(grounds.map((background) => getContrast(link, background))), brand).to.be.least(
          LINK_CONTRAST[scheme],
        );
      }
    });

  // The button, and what stands on it, its frame and links with their lowest contrast.
  for (const [brand, light, dark] of [
    [
      '#000000',
      '#000000, #ffffff 21.0, #000000 20.0, #1c2024 14.0',
      '#edeef0, #16181b 15.3, #edeef0 14.5, #edeef0 13.7',
    ],
    [
      '#ffffff',
      '#1c2024, #ffffff 16.4, #1c2024 15.6, #1c2024 14.0',
      '#ffffff, #16181b 17.8, #ffffff 16.9, #edeef0 13.7',
    ],
    [
      '#ff6900',
      '#ff6900, #16181b 6.2, #f36403 3.0, #b54a08 4.5',
      '#ff6900, #16181b 6.2, #ff6900 5.8, #fe8044 6.0',
    ],
    [
      '#003366',
      '#003366, #ffffff 12.6, #003366 12.0, #003366 10.3',
      '#3b6aa2, #ffffff 5.6, #3b6aa2 3.0, #72a3de 6.1',
    ],
    [
      '#e60023',
      '#e60023, #ffffff 4.8, #e60023 4.6, #d80622 4.5',
      '#e60023, #ffffff 4.8, #e60023 3.5, #fd756d 6.0',
    ],
    [
      '#1db954',
      '#1db954, #16181b 6.9, #01a647 3.1, #077c34 4.6',
      '#1db954, #16181b 6.9, #1db954 6.5, #27be59 6.1',
    ],
  ] as const)
    it(`are those of the brand ${brand}, with their contrasts`, () => {
      const derived = SCHEMES.map((scheme) => {
        const { accent, onAccent, accentLine, link, tint, ground, shape } = deriveBrandColours(brand, scheme);
        const grounds = [...GROUNDS[scheme], tint, ground, shape];
        return [
          accent,
          withContrast(onAccent, [accent]),
          withContrast(accentLine, GROUNDS[scheme].slice(0, -1)),
          withContrast(link, grounds),
        ].join(', ');
      });
      expect(derived).to.deep.equal([light, dark]);
    });

  it('keep the hue of the brand', () => {
    for (const brand of ['#ff6900', '#003366', '#e60023', '#1db954'] as const)
      for (const scheme of SCHEMES) {
        const { accent, link } = deriveBrandColours(brand, scheme);
        expect(getTurn(accent, brand), `button of ${brand}`).to.be.below(3);
        expect(getTurn(link, brand), `link of ${brand}`).to.be.below(8);
      }
  });

  it('leave the panel in the colour of the brand, but give a white one the ground of dark pages', () => {
    const toPanels = (brand: Colour) => SCHEMES.map((scheme) => deriveBrandColours(brand, scheme).panel);
    expect(toPanels('#ffffff')).to.deep.equal(['#ffffff', deriveBrandColours('#ffffff', 'dark').ground]);
    expect(toPanels('#000000')).to.deep.equal(['#000000', '#000000']);
    expect(toPanels('#ffcc00')).to.deep.equal(['#ffcc00', '#ffcc00']);
  });

  it('underline links only where they have the colour of the text', () => {
    expect(deriveBrandColours('#333333', 'light').linkLine).to.equal('underline');
    expect(deriveBrandColours('#ff6900', 'light').linkLine).to.equal('none');
  });

  it('take those of dark pages from another colour where there is one', () => {
    const { light, dark } = readBrand({ colour: '#003366', dark: '#1db954' });
    expect([light.accent, dark.accent]).to.deep.equal(['#003366', '#1db954']);
    expect(readBrand({ colour: undefined, dark: undefined }).light.accent).to.equal('#3e63dd');
  });
});
