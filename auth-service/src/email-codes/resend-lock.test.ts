import { CONFIRMATION, uniqueEmail } from '@platform/shared/testing/builders';
import { useRecords } from '@platform/shared/testing/records';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { useAuthService } from '../../testing/auth-service.ts';
import { getOtherCode, RESET, SIGN_IN } from '../../testing/mailed-codes.ts';

describe('resend lock of an e-mail code', () => {
  const service = useAuthService();
  const records = useRecords(() => service().databaseUrl);
  const client = () => service().as('customer');

  for (const { name, success, begin } of [RESET, SIGN_IN])
    it(`ends when the code is accepted, but not with a wrong one: ${name}`, async () => {
      const { code, attempt, send } = await begin(client(), service());
      expectError(await attempt(getOtherCode(code)), 400, 'CODE_INVALID');
      expectError(await send(), 429, 'RESEND_LOCKED');
      expect((await attempt(code)).status).to.equal(success);
      expect((await send()).status).to.equal(200);
      expectError(await send(), 429, 'RESEND_LOCKED');
    });

  it('of a new address ends when the address is confirmed', async () => {
    const { account, device } = await client().openVerifiedAccount();
    const [formerEmail, newEmail] = [account.email, uniqueEmail()];
    for (const email of [newEmail, formerEmail, newEmail]) {
      const code = await client().requestEmailChangeCode(device, email);
      const body = { newEmail: email, ...CONFIRMATION };
      expectError(await client().emailChange({ ...device, body }), 429, 'RESEND_LOCKED');
      expect((await client().emailChangeCheck({ ...device, body: { code } })).status).to.equal(200);
    }
  });

  it('stays when a blocked user spends the code', async () => {
    const { code, email, attempt, send } = await SIGN_IN.begin(client(), service());
    await records.query('update users set is_blocked = true where email = $1', [email]);
    expectError(await attempt(code), 401, 'USER_BLOCKED');
    expectError(await send(), 429, 'RESEND_LOCKED');
  });
});
