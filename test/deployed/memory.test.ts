import { createOperationFinder, loadPublishedOperations } from '@platform/shared/testing/openapi-operations';
import { expect } from 'chai';
import { createMemory } from './memory.ts';

const ID = '0190a1b2-0000-7000-8000-000000000001';
const TIMES = { createdAt: '2026-11-20T09:30:00.000Z', updatedAt: '2026-11-20T09:30:00.000Z' };
const LOG = '/api/v1/administrator/audit-log';
const USER = `/api/v1/users/${ID}`;
const NAMELESS = { id: ID, name: null, ...TIMES };

describe('memory of check:deployed', () => {
  const remember = async (...responses: (readonly [path: string, body: object])[]) => {
    const operations = await loadPublishedOperations();
    const { note } = createMemory({ operations, find: createOperationFinder(operations) } as never);
    return responses.flatMap(([path, body]) => note({ path }, { status: 200, body } as never));
  };

  it('compares a reference with references only: it shows the address of a user without a name', async () => {
    const reference = [LOG, { data: [{ user: { id: ID, name: 'ada@example.com' } }] }] as const;
    expect(await remember(reference, [USER, NAMELESS], reference)).to.deep.equal([]);
    const other = [LOG, { data: [{ user: { id: ID, name: 'Ada' } }] }] as const;
    expect(await remember(reference, other)).to.have.length(1);
    expect(await remember([USER, NAMELESS], [USER, { ...NAMELESS, name: 'Ada' }])).to.have.length(1);
  });

  it('lets the members of a team have different roles in it', async () => {
    const memberOf = (role: string) => [USER, { teams: [{ id: ID, name: 'Roofers', role }] }] as const;
    expect(await remember(memberOf('ADMINISTRATOR'), memberOf('MEMBER'))).to.deep.equal([]);
  });
});
