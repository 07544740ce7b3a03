import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { appearanceVariables } from './appearance.ts';
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

  it('has defaults for the names of the kinds of account alone', () => {
    expect(read({})).to.deep.equal({
      LOGO_FILE: undefined,
      LOGO_DARK_FILE: undefined,
      ACCENT_COLOUR: undefined,
      ACCENT_COLOUR_DARK: undefined,
      TERMS_URL: undefined,
      PRIVACY_URL: undefined,
      CUSTOMER_ACCOUNT_EN: 'Customer account',
      CUSTOMER_ACCOUNT_DE: 'Kundenkonto',
      EMPLOYEE_ACCOUNT_EN: 'Employee account',
      EMPLOYEE_ACCOUNT_DE: 'Mitarbeiterkonto',
    });
  });

  it('accepts every colour', () => {
    for (const colour of ['#000000', '#FFFFFF', '#ff6900', '#003366'])
      expect(read({ ACCENT_COLOUR: colour, ACCENT_COLOUR_DARK: colour })).to.include({
        ACCENT_COLOUR: colour.toLowerCase(),
        ACCENT_COLOUR_DARK: colour.toLowerCase(),
      });
  });

  for (const colour of ['blue', '#36d', '#3e63dd80', '3e63dd', '#3e63dd;}', 'rgb(0 0 0)'])
    it(`rejects the colour ${colour}, which is not of the form #rrggbb`, () => {
      expect(() => read({ ACCENT_COLOUR: colour })).to.throw(ConfigError, 'ACCENT_COLOUR must be a colour');
    });

  it('accepts a PNG file of at most 100 kB', () => {
    const bytes = Buffer.concat([SIGNATURE, Buffer.alloc(100_000 - SIGNATURE.length)]);
    expect(read({ LOGO_FILE: write('logo.png', bytes) }).LOGO_FILE).to.deep.equal({ type: 'png', bytes });
  });

  for (const start of [
    '',
    '\uFEFF',
    '<?xml version="1.0"?>\n',
    '<!-- a <svg> comment -->\n',
    '<!DOCTYPE svg>',
  ])
    it(`accepts an SVG file that starts with ${JSON.stringify(start.slice(0, 8))}`, () => {
      const bytes = Buffer.from(`${start}<svg xmlns="http://www.w3.org/2000/svg"/>`);
      const file = write('logo.svg', bytes);
      expect(read({ LOGO_DARK_FILE: file }).LOGO_DARK_FILE).to.deep.equal({ type: 'svg', bytes });
    });

  it('rejects another file by name', () => {
    const files = [
      write('large.png', Buffer.concat([SIGNATURE, Buffer.alloc(100_000)])),
      write('page.svg', Buffer.from('<html><svg xmlns="http://www.w3.org/2000/svg"/></html>')),
      write('picture.jpg', Buffer.from('\xff\xd8\xff\xe0', 'latin1')),
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
