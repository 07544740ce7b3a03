import { expect } from 'chai';
import { parseDatabaseUrl } from './database-url.ts';

describe('Database URL', () => {
  it('stays unchanged for one server', () => {
    const url = 'postgres://user:p%40ss@db.example.com:5432/platform?sslmode=verify-full';
    expect(parseDatabaseUrl(url)).to.deep.equal({ urls: [url], target: 'any' });
  });

  it('becomes one URL for each server, with its port, login and parameters', () => {
    const url =
      'postgresql://user:secret@one,two:5433,[::1]:5434/platform?target_session_attrs=read-write&sslmode=disable';
    expect(parseDatabaseUrl(url)).to.deep.equal({
      urls: [
        'postgresql://user:secret@one/platform?sslmode=disable',
        'postgresql://user:secret@two:5433/platform?sslmode=disable',
        'postgresql://user:secret@[::1]:5434/platform?sslmode=disable',
      ],
      target: 'read-write',
    });
  });

  it('must have a supported form, which the error names', () => {
    for (const [url, reason] of [
      ['mysql://user@host/platform', 'must be a URL that starts with postgres://'],
      ['postgres://one:port/platform', 'must be a URL, such as postgres://user:password@host:5432/database'],
      [
        'postgres://one,two:port/platform',
        'must be a URL, such as postgres://user:password@host:5432/database',
      ],
      ['postgres://one/platform?target_session_attrs=leader', 'has an unknown target_session_attrs'],
    ] as const)
      expect(() => parseDatabaseUrl(url), url).to.throw(TypeError, reason);
  });
});
