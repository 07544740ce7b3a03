import { expect } from 'chai';
import { MissingCommitError, readReleased } from './releases.ts';

describe('files of a release', () => {
  it('that this clone lacks are missing with the command that fetches their commit', () => {
    const commit = '0'.repeat(40);
    expect(() => readReleased(commit, 'openapi/auth.yaml')).to.throw(
      MissingCommitError,
      `git fetch origin ${commit}`,
    );
  });
});
