import { PLATFORM_ROLES, type PlatformRole } from '@platform/shared/testing/auth-client';
import { loadOperations, type Operation } from '@platform/shared/testing/openapi-operations';
import {
  expectProofJudged,
  PROOF_NAMES,
  type ProofName,
  setProof,
} from '@platform/shared/testing/recent-proof';
import { expectError, send } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { type SignedInUser, startAdminService, useAdminService } from '../../testing/admin-service.ts';

const OPERATIONS = (await loadOperations()).filter(({ role }) => role !== undefined);
const PROVED = OPERATIONS.filter(({ needsRecentProof }) => needsRecentProof);

describe('recent proof in the back office', () => {
  const service = useAdminService();
  /** Sends a request whose path, query and body are invalid. */
  const request = ({ method, template, body }: Operation, token: string) =>
    send(service().url, method, `${template.replace(/\{\w+\}/g, 'none')}?undeclared=1`, {
      headers: { Authorization: `Bearer ${token}` },
      body: body && {},
    });
  const signIn = async (role: PlatformRole, proof?: ProofName): Promise<SignedInUser> => {
    const user = await service().as(role);
    await setProof(service().databaseUrl, { userId: user.id, ...(proof && { proof }) });
    return user;
  };

  it('is needed for roles, invitations, exports, ends of pauses, and the removal of accounts and factors', () => {
    expect(PROVED.map(({ id }) => id)).to.have.members([
      'assignPlatformRole',
      'removePlatformRole',
      'deleteUser',
      'removeSecondFactor',
      'removeTotpOfUser',
      'removePasskeyOfUser',
      'unlinkIdentityOfUser',
      'endPauseOfUser',
      'exportUser',
      'invite',
    ]);
  });

  for (const proof of PROOF_NAMES)
    it(`is judged before the contract, and only where the document says so: ${proof}`, async () => {
      for (const role of PLATFORM_ROLES) {
        const { token } = await signIn(role, proof);
        for (const operation of OPERATIONS.filter((each) => each.role === role))
          expectProofJudged(operation, proof, await request(operation, token));
      }
    });

  it('is judged after the token and the workspace', async () => {
    const [operator, ended] = [await signIn('OPERATOR'), await signIn('ADMIN')];
    await service().records.query('delete from token_records where user_id = $1', [ended.id]);
    for (const operation of PROVED) {
      expectError(await request(operation, operator.token), 403, 'WORKSPACE_FORBIDDEN');
      expectError(await request(operation, ended.token), 401, 'TOKEN_INVALID');
    }
  });

  it('changes nothing while it is missing, and the same request succeeds afterwards', async () => {
    const administrator = await signIn('ADMIN');
    const { id } = await service().records.user(['CUSTOMER'], { isEmailVerified: true });
    const assign = () => administrator.assignPlatformRole({ id, body: { role: 'OPERATOR' } });
    expectError(await assign(), 403, 'PROOF_REQUIRED');
    expect(await service().records.auditOf(id)).to.deep.equal([]);
    await setProof(service().databaseUrl, { userId: administrator.id, proof: 'a recent proof' });
    expect((await assign()).body.roles).to.have.members(['CUSTOMER', 'OPERATOR']);
  });

  for (const [seconds, status] of [
    ['0', 204],
    ['100000', 204],
    ['1', 403],
  ] as const)
    it(`is as old as ADMIN_PROOF_SECONDS=${seconds} allows: a day returns ${status}`, async () => {
      const started = await startAdminService({ ADMIN_PROOF_SECONDS: seconds });
      try {
        const { databaseUrl, administrator, records } = started;
        await setProof(databaseUrl, { userId: administrator.id });
        const { id } = await records.user(['CUSTOMER']);
        expect((await administrator.deleteUser({ id })).status).to.equal(status);
      } finally {
        await started.stop();
      }
    });
});
