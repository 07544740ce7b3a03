import { useRecords } from '@platform/shared/testing/records';
import { expect } from 'chai';
import { insertAuditHistory } from '../../testing/audit-history.ts';
import { useAuthService } from '../../testing/auth-service.ts';

const PAGE = 5_000;
/** Reading the whole history would take 20 times as long. */
const MAX_RATIO = 4;

describe('account export of a long history', () => {
  const service = useAuthService();
  const records = useRecords(() => service().databaseUrl);

  it('takes as long with 200,000 records as with 10,000', async () => {
    const measure = async (count: number): Promise<number> => {
      const user = await records.user(['CUSTOMER'], { isEmailVerified: true });
      const client = service().as('customer');
      const device = await client.openDevice(user);
      await insertAuditHistory(records, user.id, count);
      await records.query('analyze audit_records');
      const times: number[] = [];
      const middle = `${user.id}2026-01-01T00:45:00.000000Z ${user.id}`;
      const auditCursor = Buffer.from(middle).toString('base64url');
      for (const query of [{}, { auditCursor }, {}, { auditCursor }]) {
        const { body, milliseconds } = await client.accountExport({ ...device, query });
        expect(body.auditRecords).to.have.length(PAGE);
        times.push(milliseconds);
      }
      return Math.min(...times);
    };
    const short = await measure(10_000);
    const long = await measure(200_000);
    expect(long / short).to.be.at.most(MAX_RATIO);
  });
});
