import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect } from 'chai';

const SCRIPT = resolve(import.meta.dirname, 'check-release.ts');
const CHECKOUT = {
  'package.json': '{ "version": "1.2.3" }',
  'CHANGELOG.md':
    '# Changelog\n\n## [1.2.3] - 2026-01-02\n\n### Added\n\n- A feature.\n\n## [1.2.2] - 2026-01-01\n\n- Another.\n',
  Dockerfile: `ARG NODE_IMAGE=node:24-slim@sha256:${'0'.repeat(64)}\n`,
};

describe('release check', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'release-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  const check = (tag: string, changed: Partial<typeof CHECKOUT> = {}) => {
    for (const [name, content] of Object.entries({ ...CHECKOUT, ...changed }))
      writeFileSync(join(directory, name), content);
    const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT, tag], {
      cwd: directory,
      encoding: 'utf8',
    });
    return { status, output: stdout + stderr };
  };

  it('prints the notes of the version of the tag', () => {
    expect(check('v1.2.3')).to.deep.equal({ status: 0, output: '### Added\n\n- A feature.\n' });
  });

  it('rejects another tag, a version without notes, and a base image without digest', () => {
    const changes = {
      'CHANGELOG.md': '## [Unreleased]\n\n- A feature.\n',
      Dockerfile: 'ARG NODE_IMAGE=node\n',
    };
    expect(check('v1.2.4', changes)).to.deep.equal({
      status: 1,
      output: [
        'The tag is v1.2.4, but package.json has the version 1.2.3.',
        'CHANGELOG.md has no notes of 1.2.3.',
        'The base image in the Dockerfile has no digest.',
        '',
      ].join('\n'),
    });
  });
});
