import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect } from 'chai';

const ROOT = resolve(import.meta.dirname, '..');
const FOLDER = 'docs/pictures';
const MAX_BYTES = 100_000;

/** PNG specification, 5.2 and 11.2.1: the signature, then the length and type of IHDR, width and height. */
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const readSize = (png: Buffer) => ({ width: png.readUInt32BE(16), height: png.readUInt32BE(20) });

describe('pictures of the documentation', () => {
  const names = readdirSync(join(ROOT, FOLDER));

  it('exist', () => {
    expect(names).to.have.length.above(0);
  });

  for (const name of names)
    describe(name, () => {
      const png = readFileSync(join(ROOT, FOLDER, name));

      it('is a PNG of at most 1280 × 800 pixels and 100 kB', () => {
        expect(png.subarray(0, SIGNATURE.length)).to.deep.equal(SIGNATURE);
        const { width, height } = readSize(png);
        expect(width).to.be.within(400, 1_280);
        expect(height).to.be.within(200, 800);
        expect(png.length).to.be.at.most(MAX_BYTES);
      });

      it('is shown in README.md with an alternative text', () => {
        const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
        const path = `${FOLDER}/${name}`;
        // As Markdown, or as HTML with a width.
        const isShown = readme
          .split('\n')
          .some(
            (line) =>
              line.includes(`](${path})`) || (line.includes(`src="${path}"`) && /alt="[^"]+"/.test(line)),
          );
        expect(isShown, path).to.equal(true);
        expect(readme).not.to.include(`![](${path})`);
      });
    });
});
