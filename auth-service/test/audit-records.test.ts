import { ADMINISTRATOR, PLATFORM_ROLES } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail } from '@platform/shared/testing/builders';
import { runScript } from '@platform/shared/testing/process';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { createRecords, type Records } from '@platform/shared/testing/records';
import { expectError, send } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { ALL_KINDS, createAnyAccount } from './any-account.ts';
import { useAuthService } from './auth-service.ts';

describe('The audit trail of accounts', () => {
  const service = useAuthService();
  let records: Records;
  before(() => {
    records = createRecords(service().databaseUrl);
  });
  after(() => records?.close());

  for (const kind of ALL_KINDS)
    it(`When a refresh token of one of the ${kind.plural} comes back, then it has when, whose and from where, once`, async () => {
      const client = service().client(kind);
      const account = await createAnyAccount(service(), kind);
      const old = await client.openDevice(account);
      const latest = await client.refreshed(await client.refreshed(old));
      const headers = { 'X-Request-Id': 'reuse-1', 'X-Forwarded-For': '203.0.113.80' };
      expectError(await client.refresh(old, headers), 401, 'REFRESH_TOKEN_REUSED');
      expectError(await client.refresh(old, headers), 401, 'TOKEN_INVALID');
      const [entry, ...others] = await records.auditOf(account.userId);
      expect(others).to.deep.equal([]);
      expect(entry).to.deep.include({
        action: 'REFRESH_TOKEN_REUSED',
        actorId: null,
        targetType: 'USER',
        requestId: 'reuse-1',
        address: '203.0.113.80',
      });
      expect(entry?.details).to.include({ kind: kind.kind, sessionId: old.sessionId });
      for (const token of [old.refreshToken, latest.refreshToken])
        expect(JSON.stringify(entry)).not.to.include(token.split('.')[2]);
    });

  it('When two tabs race for a refresh, then it has nothing', async () => {
    const client = service().client(ADMINISTRATOR);
    const account = await createAnyAccount(service(), ADMINISTRATOR);
    const old = await client.openDevice(account);
    await client.refreshed(old);
    expectError(await client.refresh(old), 401, 'REFRESH_TOKEN_SUPERSEDED');
    expect(await records.auditOf(account.userId)).to.deep.equal([]);
  });

  it('When an administrator is registered, then it has who did it: an ADMIN, or the first one themselves', async () => {
    await queryDatabase(service().databaseUrl, "delete from user_roles where role = 'ADMIN'");
    const register = async (token?: string) => {
      const answer = await send(service().url, 'POST', `${ADMINISTRATOR.path}/register`, {
        headers: { Authorization: token && `Bearer ${token}` },
        body: { email: uniqueEmail(), password: PASSWORD },
      });
      expect(answer.status, answer.text).to.equal(201);
      return answer.body as { id: string; email: string };
    };
    const first = await register();
    const { email } = first;
    const device = await service().client(ADMINISTRATOR).openDevice({ email, password: PASSWORD });
    const second = await register(device.accessToken);
    for (const { id } of [first, second])
      expect((await records.auditOf(id))[0]).to.deep.include({
        action: 'ADMINISTRATOR_REGISTERED',
        actorId: first.id,
        targetType: 'USER',
      });
  });

  const assignRole = (email: string, role: string) =>
    runScript('auth-service/src/run-role-assign.ts', [email, role], {
      DATABASE_URL: service().databaseUrl,
      ADMIN_ALLOWED_DOMAINS: 'example.com',
    });

  for (const role of PLATFORM_ROLES)
    it(`When the role ${role} is assigned, then it has that, and nothing of a refusal`, async () => {
      const { id, email } = await records.user(['CUSTOMER'], { isEmailVerified: true });
      expect(await assignRole(email, role)).to.deep.equal({ code: 0, output: `${email} is now ${role}.\n` });
      const refused = await assignRole(email, 'OPERATOR');
      expect(refused.code).to.equal(1);
      expect(refused.output).to.match(/^PLATFORM_ROLE_TAKEN: .*\n$/);
      const [entry, ...others] = await records.auditOf(id);
      expect(others).to.deep.equal([]);
      expect(entry).to.deep.include({
        action: 'ROLE_ASSIGNED',
        actorId: null,
        targetType: 'USER',
        requestId: 'role-assign',
        address: 'command line',
        details: { role },
      });
    });
});
