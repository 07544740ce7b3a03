import { CUSTOMER } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail } from '@platform/shared/testing/builders';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { expectError } from '@platform/shared/testing/responses';
import { totpCode } from '@platform/shared/testing/totp';
import { expect } from 'chai';
import { addRole } from './auth-service.ts';
import { useCodeService } from './code-service.ts';
import { createOwnAccountClient, requestCode } from './own-account-client.ts';
import { createAccountWithTotp, expectFactorInvalid, WRONG_CODE } from './second-factor-account.ts';

describe('own account with a second factor', () => {
  const service = useCodeService();
  const own = () => createOwnAccountClient(service().client(CUSTOMER));

  it('is deleted with the password and a factor only', async () => {
    const { account, device, secret } = await createAccountWithTotp(service(), CUSTOMER);
    expectError(await own().deleteAccount(device), 400, 'VALIDATION_FAILED', '/body');
    const proof = { totpCode: totpCode(secret, 1) };
    const both = { currentPassword: PASSWORD, ...proof, recoveryCode: 'aaaa' };
    expectError(await own().deleteAccount(device, both), 400, 'VALIDATION_FAILED', '/body');
    expectFactorInvalid(
      await own().deleteAccount(device, { currentPassword: PASSWORD, totpCode: WRONG_CODE }),
    );
    await service().client(CUSTOMER).me(device);
    const response = await own().deleteAccount(device, { currentPassword: PASSWORD, ...proof });
    expect(response.status, response.text).to.equal(204);
    const [left] = await queryDatabase<{ count: number }>(
      service().databaseUrl,
      `select (select count(*) from totp_factors where user_id = $1)::int +
         (select count(*) from recovery_codes where user_id = $1)::int as count`,
      [account.userId],
    );
    expect(left?.count).to.equal(0);
  });

  it('does not use up a recovery code when the deletion is refused', async () => {
    const { account, device, recoveryCodes } = await createAccountWithTotp(service(), CUSTOMER);
    await addRole(service().databaseUrl, account.userId, 'ARBITER');
    const body = { currentPassword: PASSWORD, recoveryCode: recoveryCodes[0] };
    for (let round = 0; round < 2; round += 1)
      expectError(await own().deleteAccount(device, body), 409, 'PLATFORM_ROLE_TAKEN');
    const { body: data } = await own().exportAccount(device);
    expect(data.secondFactor.recoveryCodesLeft).to.equal(10);
  });

  it('changes its e-mail with the password alone, and keeps the factor', async () => {
    const { device } = await createAccountWithTotp(service(), CUSTOMER);
    const newEmail = uniqueEmail();
    const code = await requestCode(service(), own(), device, newEmail);
    expect((await own().confirmEmailChange(device, code)).status).to.equal(200);
    const client = service().client(CUSTOMER);
    const response = await client.signIn({ email: newEmail, password: PASSWORD }, 'a-device');
    expectError(response, 401, 'SECOND_FACTOR_REQUIRED');
  });
});
