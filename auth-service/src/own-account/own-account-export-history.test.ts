import { type UserRecord, useRecords } from '@platform/shared/testing/records';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { insertAuditHistory } from '../../testing/audit-history.ts';
import { useAuthService } from '../../testing/auth-service.ts';

const PAGE = 5_000;

type ExportedRecord = { id: string; action: string; createdAt: string; details: { number?: number } };

describe('account export of a long history', () => {
  const service = useAuthService();
  const records = useRecords(() => service().databaseUrl);

  const openAccount = async () => {
    const user = await records.user(['CUSTOMER'], { isEmailVerified: true });
    const client = service().as('customer');
    return { user, client, device: await client.openDevice(user) };
  };

  const insertHistory = ({ id }: UserRecord, count: number) => insertAuditHistory(records, id, count);

  it('has the newest 5,000 audit records, and the cursors lead to all others', async () => {
    const { user, client, device } = await openAccount();
    await insertHistory(user, 2 * PAGE + 100);
    const first = await client.accountExport(device);
    expect(first.status, first.text).to.equal(200);
    const pages: ExportedRecord[][] = [first.body.auditRecords];
    for (let auditCursor = first.body.nextAuditCursor; auditCursor !== null; ) {
      const { body } = await client.accountExport({ ...device, query: { auditCursor } });
      expect(Object.keys(body)).to.have.members(['auditRecords', 'nextAuditCursor']);
      pages.push(body.auditRecords);
      auditCursor = body.nextAuditCursor;
    }
    expect(pages.map(({ length }) => length)).to.deep.equal([PAGE, PAGE, 101]);
    const all = pages.flat();
    const times = all.map(({ createdAt }) => createdAt);
    expect(times).to.deep.equal(times.toSorted().reverse());
    const numbers = new Set(all.map(({ details }) => details.number));
    // The sign-in has no number.
    expect(numbers.size).to.equal(2 * PAGE + 101);
  });

  it('has no cursor when the last page is full', async () => {
    const { user, client, device } = await openAccount();
    // The sign-in is a record, too.
    await insertHistory(user, PAGE - 1);
    const { body } = await client.accountExport(device);
    expect([body.auditRecords.length, body.nextAuditCursor]).to.deep.equal([PAGE, null]);
  });

  it('records each request in the audit log', async () => {
    const { user, client, device } = await openAccount();
    await insertHistory(user, PAGE + 1);
    const { body } = await client.accountExport(device);
    await client.accountExport({ ...device, query: { auditCursor: body.nextAuditCursor } });
    const exported = (await records.auditOf(user.id)).filter(({ action }) => action === 'ACCOUNT_EXPORTED');
    expect(exported).to.have.length(2);
  });

  it('returns 400 for the cursor of another user, of another list, and for other text', async () => {
    const [one, other] = [await openAccount(), await openAccount()];
    await insertHistory(one.user, PAGE + 1);
    const { body } = await one.client.accountExport(one.device);
    const ofAuditLog = Buffer.from(`2026-01-01T00:00:00.000000Z ${one.user.id}`).toString('base64url');
    for (const auditCursor of [body.nextAuditCursor, ofAuditLog, 'x', ''])
      expectError(
        await other.client.accountExport({ ...other.device, query: { auditCursor } }),
        400,
        'VALIDATION_FAILED',
        '/query/auditCursor',
      );
  });
});
