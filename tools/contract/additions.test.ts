import { expect } from 'chai';
import { findAdditions, findUnnamed } from './additions.ts';
import type { Contract } from './openapi-types.ts';

const toPaths = (...operations: string[]) => {
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of operations) {
    const [method = '', path = ''] = operation.split(' ');
    paths[path] = { ...paths[path], [method.toLowerCase()]: {} };
  }
  return { paths } as unknown as Contract;
};

describe('additions to a contract', () => {
  it('lists new operations, of every kind once', () => {
    const released = toPaths('GET /things', 'GET /customers/auth/me');
    const current = toPaths(
      ...['GET /things', 'POST /things', 'GET /customers/auth/me'],
      ...['GET /customers/auth/passkeys', 'GET /employees/auth/passkeys', 'GET /auth/admin/passkeys'],
    );
    expect(findAdditions(released, current)).to.deep.equal(['POST /things', 'GET {kind}/passkeys']);
    expect(findAdditions(current, released)).to.deep.equal([]);
  });

  it('finds those that the changelog does not name under Unreleased', () => {
    const additions = ['POST /things', 'GET {kind}/passkeys'];
    const changelog =
      '# Changelog\n\n## [Unreleased]\n\n- `POST /things`\n\n## 1.0.0\n\n- `GET {kind}/passkeys`\n';
    expect(findUnnamed(additions, changelog)).to.deep.equal(['GET {kind}/passkeys']);
  });
});
