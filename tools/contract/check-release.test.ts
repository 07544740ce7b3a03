import { expect } from 'chai';
import { judgeRelease } from './check-release.ts';

const GONE = { operation: 'GET /things', what: 'is gone' };
const judge = (version: string, changelog = '', released = '1.2.3', breaks = [GONE]) =>
  judgeRelease({ name: 'auth', released, version, breaks, changelog });
const note = (version: string, text: string) =>
  `## Unreleased\n\n- **Breaking** (auth ${version}): ${text}\n- Another\n`;

describe('The release of a contract', () => {
  it('When it breaks nobody, then neither a version nor a note is asked for', () => {
    expect(judge('1.2.3', '', '1.2.3', [])).to.deep.equal([]);
  });

  it('When it breaks callers, then a major version and a note are asked for, each by name', () => {
    expect(judge('1.3.0')).to.deep.equal([
      'openapi/auth.yaml: raise info.version from 1.3.0 to 2.0.0',
      'CHANGELOG.md: no line "- **Breaking** (auth 2.0.0): …" names `GET /things`',
    ]);
  });

  it('When it breaks callers before 1.0.0, then a minor version is enough', () => {
    const changelog = note('0.3.0', '`GET /things` is gone.');
    expect(judge('0.3.0', changelog, '0.2.9')).to.deep.equal([]);
    expect(judge('0.2.10', changelog, '0.2.9')).to.deep.equal([
      'openapi/auth.yaml: raise info.version from 0.2.10 to 0.3.0',
    ]);
  });

  it('When the note names the operation, on its first line or an indented one, then it may be released', () => {
    expect(judge('2.0.0', note('2.0.0', '`GET /things` is gone.'))).to.deep.equal([]);
    expect(judge('2.0.0', note('2.0.0', 'gone are\n  `GET /things` and others.'))).to.deep.equal([]);
    expect(judge('2.0.0', note('2.0.0', 'every operation has moved.'))).to.deep.equal([]);
  });

  it('When the note is for another contract, version or operation, then it does not count', () => {
    const missing = ['CHANGELOG.md: no line "- **Breaking** (auth 2.0.0): …" names `GET /things`'];
    expect(judge('2.0.0', note('3.0.0', '`GET /things` is gone.'))).to.deep.equal(missing);
    expect(judge('2.0.0', note('2.0.0', '`GET /thing` is gone.'))).to.deep.equal(missing);
    expect(judge('2.0.0', '- **Breaking** (admin 2.0.0): `GET /things` is gone.')).to.deep.equal(missing);
    expect(judge('2.0.0', `${note('2.0.0', 'something')}- \`GET /things\` is elsewhere`)).to.deep.equal(
      missing,
    );
  });

  it('When the version goes back, or is none, then that is refused', () => {
    expect(judge('1.2.2')).to.deep.equal([
      'openapi/auth.yaml: info.version 1.2.2 is below the released 1.2.3',
    ]);
    expect(judge('2.0')).to.deep.equal(['openapi/auth.yaml: info.version 2.0 is not of the form 1.2.3']);
  });
});
