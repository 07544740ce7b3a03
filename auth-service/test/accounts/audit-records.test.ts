import { ADMINISTRATOR, PLATFORM_ROLES } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail } from '@platform/shared/testing/builders';
import { runScript } from '@platform/shared/testing/process';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { useRecords } from '@platform/shared/testing/records';
import { expectError, send } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { ALL_KINDS, createAccountOfKind, useAuthService } from '../auth-service.ts';

describe('audit records of sessions and administrators', () => {
  const service = useAuthService();
  const records = useRecords(() => service().databaseUrl);

  for (const kind of ALL_KINDS)
    it(`records a reused refresh token of ${kind.plural} once`, async () => {
      const client = service().client(kind);
      const account = await createAccountOfKind(service(), kind);
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

  it('records nothing when two tabs race for a refresh', async () => {
    const client = service().client(ADMINISTRATOR);
    const account = await createAccountOfKind(service(), ADMINISTRATOR);
    const old = await client.openDevice(account);
    await client.refreshed(old);
    expectError(await client.refresh(old), 401, 'REFRESH_TOKEN_SUPERSEDED');
    expect(await records.auditOf(account.userId)).to.deep.equal([]);
  });

  it('records the actor of an administrator registration: an ADMIN, or the first one themselves', async () => {
    await queryDatabase(service().databaseUrl, "delete from user_roles where role = 'ADMIN'");
    const register = async (token?: string) => {
      const response = await send(service().url, 'POST', `${ADMINISTRATOR.path}/register`, {
        headers: { Authorization: token && `Bearer ${token}` },
        body: { email: uniqueEmail(), password: PASSWORD },
      });
      expect(response.status, response.text).to.equal(201);
      return response.body as { id: string; email: string };
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
    it(`records the assignment of ${role}, and no rejected assignment`, async () => {
      const { id, email } = await records.user(['CUSTOMER'], { isEmailVerified: true });
      expect((await assignRole(email, role)).code).to.equal(0);
      const rejected = await assignRole(email, 'OPERATOR');
      expect(rejected.code).to.equal(1);
      expect(rejected.output).to.match(/^PLATFORM_ROLE_TAKEN: .*\n$/);
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
