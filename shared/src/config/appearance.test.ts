import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { appearanceVariables, findTextColour } from './appearance.ts';
import { ConfigError, readEnvironment } from './env.ts';

const read = (environment: Record<string, string>) => readEnvironment(environment, appearanceVariables);
const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

describe('appearance', () => {
  let directory: string;
  before('create a folder', () => {
    directory = mkdtempSync(join(tmpdir(), 'appearance-'));
  });
  after('remove the folder', () => rmSync(directory, { recursive: true }));
  const write = (name: string, content: Buffer): string => {
    const file = join(directory, name);
    writeFileSync(file, content);
    return file;
  };

  it('has neither a logo nor a colour nor links by default', () => {
    expect(read({})).to.deep.equal({
      LOGO_FILE: undefined,
      ACCENT_COLOUR: undefined,
      TERMS_URL: undefined,
      PRIVACY_URL: undefined,
    });
  });

  for (const colour of ['#3e63dd', '#C2410C', '#0e7490', '#888888'])
    it(`accepts the colour ${colour}, which is visible in light and in dark pages`, () => {
      expect(read({ ACCENT_COLOUR: colour }).ACCENT_COLOUR).to.equal(colour.toLowerCase());
    });

  for (const [colour, background] of [
    ['#ffc53d', 'light background #f9f9fb'],
    ['#ffffff', 'light background #f9f9fb'],
    ['#1c2024', 'dark background #1c1d20'],
    ['#00008b', 'dark background #1c1d20'],
  ])
    it(`rejects the colour ${colour}, which hardly differs from the ${background}`, () => {
      expect(() => read({ ACCENT_COLOUR: colour ?? '' })).to.throw(
        ConfigError,
        `ACCENT_COLOUR must have a contrast of 3:1 against the ${background}, not `,
      );
    });

  for (const colour of ['blue', '#36d', '#3e63dd80', '3e63dd', '#3e63dd;}', 'rgb(0 0 0)'])
    it(`rejects the colour ${colour}, which is not of the form #rrggbb`, () => {
      expect(() => read({ ACCENT_COLOUR: colour })).to.throw(ConfigError, 'ACCENT_COLOUR must be a colour');
    });

  it('writes on a colour in black or white, whichever contrasts more', () => {
    expect(findTextColour('#3e63dd')).to.equal('#ffffff');
    expect(findTextColour('#c2410c')).to.equal('#ffffff');
    expect(findTextColour('#f76b15')).to.equal('#000000');
    expect(findTextColour('#888888')).to.equal('#000000');
  });

  it('accepts a PNG file of at most 100 kB', () => {
    const bytes = Buffer.concat([SIGNATURE, Buffer.alloc(100_000 - SIGNATURE.length)]);
    expect(read({ LOGO_FILE: write('logo.png', bytes) }).LOGO_FILE).to.deep.equal(bytes);
  });

  it('rejects another file by name', () => {
    const files = [
      write('large.png', Buffer.concat([SIGNATURE, Buffer.alloc(100_000)])),
      write('drawing.png', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')),
      write('empty.png', Buffer.alloc(0)),
      join(directory, 'missing.png'),
      directory,
    ];
    for (const file of files)
      expect(() => read({ LOGO_FILE: file }), file)
        .to.throw(ConfigError, /^LOGO_FILE (?:must|cannot)/)
        .with.property('message')
        .that.includes(file);
  });
});
