import { expect } from 'chai';
import type { Operation } from '../test/openapi-operations.ts';
import { findMissingResponses } from '../test/response-coverage.ts';

const toOperation = (id: string, template: string): Operation => ({
  ...{ id, name: `auth/${id}`, method: 'POST', template, parameters: [] },
  ...{ body: undefined, scheme: undefined, role: undefined },
  responses: {
    '200': { description: 'The session.' },
    '401': { description: '- `TOKEN_INVALID`: expired\n- `USER_BLOCKED`' },
    default: { description: '404 `ROUTE_NOT_FOUND`, 413 `BODY_TOO_LARGE`' },
  },
});
const operations = [
  toOperation('customerSignIn', '/api/customers'),
  toOperation('getTeam', '/api/teams/{id}'),
];

describe('documented responses that no test has produced', () => {
  it('are found by operation, status and code, and by code among those of any operation', () => {
    const records = [
      'POST /api/customers 200',
      'POST /api/teams/1 401 USER_BLOCKED',
      'POST /api/x 404 ROUTE_NOT_FOUND',
    ];
    expect(findMissingResponses(operations, records)).to.deep.equal([
      '{kind}SignIn 401 TOKEN_INVALID',
      '{kind}SignIn 401 USER_BLOCKED',
      '* BODY_TOO_LARGE',
      'getTeam 200',
      'getTeam 401 TOKEN_INVALID',
    ]);
  });
});
