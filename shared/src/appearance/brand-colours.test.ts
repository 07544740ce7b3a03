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

  for (const [brand, light, dark] of [
    ['#000000', ['#000000', '#ffffff', '#000000', '#1c2024'], ['#edeef0', '#16181b', '#edeef0', '#edeef0']],
    ['#ffffff', ['#1c2024', '#ffffff', '#1c2024', '#1c2024'], ['#ffffff', '#16181b', '#ffffff', '#edeef0']],
    ['#ff6900', ['#ff6900', '#16181b', '#f36403', '#b54a08'], ['#ff6900', '#16181b', '#ff6900', '#fe8044']],
    ['#003366', ['#003366', '#ffffff', '#003366', '#003366'], ['#3b6aa2', '#ffffff', '#3b6aa2', '#72a3de']],
    ['#e60023', ['#e60023', '#ffffff', '#e60023', '#d80622'], ['#e60023', '#ffffff', '#e60023', '#fd756d']],
    ['#1db954', ['#1db954', '#16181b', '#01a647', '#077c34'], ['#1db954', '#16181b', '#1db954', '#27be59']],
  ] as const)
    it(`are those of the brand ${brand}: button, text on it, frame and links`, () => {
      const derived = SCHEMES.map((scheme) => {
        const { accent, onAccent, accentLine, link } = deriveBrandColours(brand, scheme);
        return [accent, onAccent, accentLine, link];
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
