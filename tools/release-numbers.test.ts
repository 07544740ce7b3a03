import { resolve } from 'node:path';
import { expect } from 'chai';
import { listNumbers, rewriteNumbers } from './release-numbers.ts';
import { findEarlierRelease, VERSION } from './releases.ts';

const ROOT = resolve(import.meta.dirname, '..');

describe('versions that the release names of itself', () => {
  it('are those of package.json and of the release before it', () => {
    const numbers = listNumbers(ROOT, { version: VERSION, previous: findEarlierRelease().version });
    expect(numbers.filter(({ found, expected }) => found !== expected)).to.deep.equal([]);
    const files = numbers.map(({ file }) => file);
    expect(files).to.include.members(['docs/deployment.md', 'docs/releasing.md', 'docker-compose.yml']);
  });

  it('are all written by the step of the release', () => {
    const versions = { version: '9.8.7', previous: '9.8.6' };
    const rewritten = rewriteNumbers(ROOT, versions);
    const numbers = listNumbers(ROOT, versions);
    expect(new Set(rewritten.keys())).to.deep.equal(new Set(numbers.map(({ file }) => file)));
    expect(rewritten.get('docs/deployment.md')).to.include('RELEASE=9.8.7 &&');
    expect(rewritten.get('docs/releasing.md')).to.include('RELEASE=9.8.6 &&');
  });
});
