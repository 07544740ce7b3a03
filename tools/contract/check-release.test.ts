import { expect } from 'chai';
import { checkRelease } from './check-release.ts';

const REMOVED = { operation: 'GET /things', change: 'was removed' };
const check = (version: string, changelog = '', released = '1.2.3', breakingChanges = [REMOVED]) =>
  checkRelease({ name: 'auth', released, version, breakingChanges, changelog });
const note = (version: string, text: string) =>
  `## Unreleased\n\n- **Breaking** (auth ${version}): ${text}\n- Another\n`;

describe('release of a contract', () => {
  it('needs no version and no note without breaking changes', () => {
    expect(check('1.2.3', '', '1.2.3', [])).to.deep.equal([]);
  });

  it('needs a major version and a changelog note for a breaking change', () => {
    expect(check('1.3.0')).to.deep.equal([
      'openapi/auth.yaml: raise info.version from 1.3.0 to 2.0.0',
      'CHANGELOG.md: no line "- **Breaking** (auth 2.0.0): …" names `GET /things`',
    ]);
  });

  it('needs only a minor version before 1.0.0', () => {
    const changelog = note('0.3.0', '`GET /things` is gone.');
    expect(check('0.3.0', changelog, '0.2.9')).to.deep.equal([]);
    expect(check('0.2.10', changelog, '0.2.9')).to.deep.equal([
      'openapi/auth.yaml: raise info.version from 0.2.10 to 0.3.0',
    ]);
  });

  it('accepts a note that names the operation, on its first or an indented line', () => {
    expect(check('2.0.0', note('2.0.0', '`GET /things` is gone.'))).to.deep.equal([]);
    expect(check('2.0.0', note('2.0.0', 'gone are\n  `GET /things` and others.'))).to.deep.equal([]);
    expect(check('2.0.0', note('2.0.0', 'every operation has moved.'))).to.deep.equal([]);
  });

  it('ignores notes for another contract, version or operation', () => {
    const missing = ['CHANGELOG.md: no line "- **Breaking** (auth 2.0.0): …" names `GET /things`'];
    expect(check('2.0.0', note('3.0.0', '`GET /things` is gone.'))).to.deep.equal(missing);
    expect(check('2.0.0', note('2.0.0', '`GET /thing` is gone.'))).to.deep.equal(missing);
    expect(check('2.0.0', '- **Breaking** (admin 2.0.0): `GET /things` is gone.')).to.deep.equal(missing);
    expect(check('2.0.0', `${note('2.0.0', 'something')}- \`GET /things\` is elsewhere`)).to.deep.equal(
      missing,
    );
  });

  it('rejects a lower or malformed version', () => {
    expect(check('1.2.2')).to.deep.equal([
      'openapi/auth.yaml: info.version 1.2.2 is below the released 1.2.3',
    ]);
    expect(check('2.0')).to.deep.equal(['openapi/auth.yaml: info.version 2.0 is not of the form 1.2.3']);
  });
});
