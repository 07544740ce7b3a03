import { ADMINISTRATOR } from '@platform/shared/testing/auth-client';
import { useRecords } from '@platform/shared/testing/records';
import { expectError } from '@platform/shared/testing/responses';
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
});
