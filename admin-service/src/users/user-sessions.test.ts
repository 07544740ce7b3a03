import { randomUUID } from 'node:crypto';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { getIds, minutesAgo, useAdminService } from '../../testing/admin-service.ts';

describe('sessions of a user in the back office', () => {
  const service = useAdminService();
  const administrator = () => service().administrator;
  const records = () => service().records;
  const list = (id: string) => administrator().listSessionsOfUser({ id });
  const end = (id: string, sessionId: string) => administrator().endSessionOfUser({ id, sessionId });

  it('lists those that are signed in, the latest sign-in first, also of a blocked user', async () => {
    const { id } = await records().user(['CUSTOMER'], { isBlocked: true });
    const [signedInAt, refreshedAt] = [minutesAgo(9), minutesAgo(2)];
    const fields = { ip: '2001:db8::1', userAgent: 'curl/8.1', methods: ['oidc:company', 'mfa'] as const };
    const old = await records().session(id, { ...fields, signedInAt, refreshedAt });
    const recent = await records().session(id, { signedInAt: minutesAgo(3) });
    await records().session(id, { expiresAt: minutesAgo(1) });
    await records().session((await records().user(['CUSTOMER'])).id);
    const signedOut = await records().session(id);
    expect((await end(id, signedOut)).status).to.equal(204);
    const { status, body } = await list(id);
    expect(status).to.equal(200);
    expect(getIds({ body } as never)).to.deep.equal([recent, old]);
    const { createdAt, ...session } = body.data[1];
    expect(Date.now() - Date.parse(createdAt)).to.be.within(0, 60_000);
    expect(session).to.deep.equal({
      id: old,
      ...fields,
      signedInAt: signedInAt.toISOString(),
      refreshedAt: refreshedAt.toISOString(),
      staysSignedIn: false,
    });
    expect(body.data[0]).to.include({ userAgent: null, refreshedAt: null });
  });

  it('ends one session, which is audited, and keeps the others', async () => {
    const { id } = await records().user(['CUSTOMER', 'EMPLOYEE']);
    const [lost, other] = [await records().session(id), await records().session(id)];
    const { status, headers } = await end(id, lost.toUpperCase());
    expect(status).to.equal(204);
    expect(getIds(await list(id))).to.deep.equal([other]);
    const [record, ...others] = await records().auditOf(id);
    expect(others).to.deep.equal([]);
    expect(record).to.deep.include({
      action: 'SESSION_ENDED',
      actorId: administrator().id,
      requestId: headers['x-request-id'],
      details: { sessionId: lost },
    });
  });

  it('returns 404 for a session that is unknown, of another user or not signed in', async () => {
    const { id } = await records().user(['CUSTOMER']);
    const ended = await records().session(id);
    const ofAnother = await records().session((await records().user(['CUSTOMER'])).id);
    const expired = await records().session(id, { expiresAt: minutesAgo(1) });
    expect((await end(id, ended)).status).to.equal(204);
    for (const sessionId of [randomUUID(), ofAnother, ended, expired])
      expectError(await end(id, sessionId), 404, 'SESSION_NOT_FOUND');
    expect(await records().auditOf(id)).to.have.lengthOf(1);
    expectError(await end(id, 'all'), 400, 'VALIDATION_FAILED', '/params/sessionId');
  });

  it('returns 404 for an unknown and for a deleted user', async () => {
    const { id } = await records().user(['CUSTOMER']);
    await records().deleteAccount(id);
    for (const missing of [randomUUID(), id]) {
      expectError(await list(missing), 404, 'USER_NOT_FOUND');
      expectError(await end(missing, randomUUID()), 404, 'USER_NOT_FOUND');
    }
  });
});
