import type { SignInMethod } from '@platform/shared/platform/access/caller';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { type RunningAdminService, startAdminService } from '../../testing/admin-service.ts';

const REFUSED = [403, 'SECOND_FACTOR_ENROLMENT_REQUIRED'] as const;
const TWO_FACTORS: SignInMethod[][] = [
  ['password', 'totp'],
  ['password', 'recovery-code'],
  ['password', 'passkey'],
  ['passkey'],
];

describe('required second factor', () => {
  let service: RunningAdminService;
  before('require it of administrators and arbiters', async () => {
    service = await startAdminService({ SECOND_FACTOR_REQUIRED_FOR: 'ADMIN,ARBITER' });
  });
  after('stop the service', async () => {
    await service?.stop();
  });

  const setMethods = (userId: string, methods: readonly SignInMethod[]) =>
    service.records.query('update token_records set methods = $2 where user_id = $1', [userId, methods]);

  it('rejects every operation after a sign-in with a password alone', async () => {
    const caller = await service.as('ADMIN');
    const { id } = await service.records.user(['CUSTOMER']);
    const responses = [
      await caller.administratorWorkspaceMe(),
      await caller.currentAdministrator(),
      await caller.listUsers(),
      await caller.blockUser({ id }),
      await caller.removeSecondFactor({ id }),
      await caller.listAuditLog(),
    ];
    for (const response of responses) expectError(response, ...REFUSED);
    const [user] = await service.records.query('select is_blocked from users where id = $1', [id]);
    expect(user).to.deep.equal({ is_blocked: false });
    expectError(await (await service.as('ARBITER')).arbiterWorkspaceMe(), ...REFUSED);
  });

  for (const methods of TWO_FACTORS)
    it(`accepts a sign-in with ${methods.join(' and ')}`, async () => {
      const caller = await service.as('ADMIN', methods);
      expect((await caller.currentAdministrator()).status).to.equal(200);
    });

  it('accepts the session once a factor has been enrolled with it, and rejects it again without one', async () => {
    const caller = await service.as('ADMIN');
    const { id } = caller;
    expectError(await caller.currentAdministrator(), ...REFUSED);
    await setMethods(id, ['password', 'totp']);
    expect((await caller.currentAdministrator()).status).to.equal(200);
    await setMethods(id, ['password']);
    expectError(await caller.currentAdministrator(), ...REFUSED);
  });

  it('does not concern other roles and public operations', async () => {
    expect((await (await service.as('OPERATOR')).operatorWorkspaceMe()).status).to.equal(200);
    expect((await service.withToken().hello()).status).to.equal(200);
  });

  it('is checked after token and workspace, and before the request is validated', async () => {
    const caller = await service.as('ADMIN');
    const { id, token } = caller;
    expectError(await service.withToken().listUsers(), 401, 'TOKEN_INVALID');
    expectError(await caller.operatorWorkspaceMe(), 403, 'WORKSPACE_FORBIDDEN');
    expectError(await (await service.as('ARBITER')).listUsers(), 403, 'WORKSPACE_FORBIDDEN');
    expectError(await caller.listUsers({ query: { page: '0' } }), ...REFUSED);
    expectError(await caller.getUser({ id: 'unknown' }), ...REFUSED);
    await service.records.block(id);
    expectError(await service.withToken(token).listUsers(), 401, 'USER_BLOCKED');
  });
});

describe('second factor without a requirement', () => {
  it('accepts a sign-in with a password alone', async () => {
    const service = await startAdminService();
    try {
      expect((await (await service.as('ADMIN')).currentAdministrator()).status).to.equal(200);
    } finally {
      await service.stop();
    }
  });
});
