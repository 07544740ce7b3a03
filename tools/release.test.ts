import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { findReleaseErrors, readNotes } from './deploy/release.ts';

const CHANGELOG = `# Changelog

## [Unreleased]

## [1.2.3] - 2026-01-02

### Added

- A feature.

## [1.2.2] - 2026-01-01

- Another one.
`;
const RELEASE = {
  tag: 'v1.2.3',
  version: '1.2.3',
  changelog: CHANGELOG,
  baseImage: `node:24-slim@sha256:${'0'.repeat(64)}`,
};

describe('release check', () => {
  it('accepts a tag with the version of package.json and of the changelog', () => {
    expect(findReleaseErrors(RELEASE)).to.deep.equal([]);
  });

  it('rejects another tag, a version without notes, and a base image without digest', () => {
    const other = findReleaseErrors({ ...RELEASE, tag: 'v1.2.4' });
    expect(other).to.deep.equal(['The tag is v1.2.4, but package.json has the version 1.2.3.']);
    const unreleased = findReleaseErrors({ ...RELEASE, changelog: '## [Unreleased]\n\n- A feature.\n' });
    expect(unreleased).to.deep.equal(['CHANGELOG.md has no notes of 1.2.3.']);
    const unpinned = findReleaseErrors({ ...RELEASE, baseImage: 'node:24-slim' });
    expect(unpinned).to.deep.equal(['The base image in the Dockerfile has no digest.']);
  });

  it('returns the notes of one version', () => {
    expect(readNotes(CHANGELOG, '1.2.3')).to.equal('### Added\n\n- A feature.');
  });

  it('fails for a tag that is not the version of this checkout', async () => {
    const script = resolve(import.meta.dirname, 'check-release.ts');
    const run = promisify(execFile)(process.execPath, [script, 'v0.0.0']);
    const error = await run.then(
      () => undefined,
      (thrown: { code: number; stderr: string }) => thrown,
    );
    expect(error?.code).to.equal(1);
    expect(error?.stderr).to.include('The tag is v0.0.0');
  });
});
