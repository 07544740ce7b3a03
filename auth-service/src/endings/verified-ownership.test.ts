import { CONFIRMATION, PASSWORD, uniqueEmail } from '@platform/shared/testing/builders';
import type { Device, TestAccount } from '@platform/shared/testing/device';
import { useRecords } from '@platform/shared/testing/records';
import { expectError } from '@platform/shared/testing/responses';
import { addSecondFactor } from '@platform/shared/testing/second-factors';
import { createSoftwareAuthenticator } from '@platform/shared/testing/software-authenticator';
import { expect } from 'chai';
import { useAuthService } from '../../testing/auth-service.ts';
import { WRONG_CODE } from '../../testing/second-factor.ts';

const NEW_PASSWORD = 'A better horse 2';

/** Proves the address of the account, and returns that address. */
type Prove = (account: TestAccount, owner: Device) => Promise<string>;

describe('first proof of an e-mail address', () => {
  const service = useAuthService({ NEW_DEVICE_NOTICE: 'on' });
  const records = useRecords(() => service().databaseUrl);

  const client = () => service().as('customer');

  it('precedes second factors and passkeys', async () => {
    const device = await client().openDevice(await client().createAccount());
    const { body } = await client().passkeyOptions({
      ...(await client().openVerifiedAccount()).device,
      body: CONFIRMATION,
    });
    const attestation = createSoftwareAuthenticator().create(body);
    for (const response of [
      await client().totpSetUp({ ...device, body: { currentPassword: PASSWORD } }),
      await client().totpConfirm({ ...device, body: { code: WRONG_CODE } }),
      await client().passkeyOptions({ ...device, body: CONFIRMATION }),
      await client().passkeyCreate({ ...device, body: { response: attestation, name: 'My phone' } }),
    ])
      expectError(response, 403, 'EMAIL_NOT_VERIFIED');
  });

  const PROOFS: [name: string, Prove][] = [
    [
      'a verification',
      async ({ email }, owner) => {
        const code = await service().as('customer').requestVerificationCode(owner, email);
        expect((await client().verificationEmailCodeCheck({ ...owner, body: { code } })).status).to.equal(
          200,
        );
        return email;
      },
    ],
    [
      'a reset of the password',
      async ({ email }) => {
        const code = await service().as('customer').requestResetCode(email);
        const reset = { email, code, newPassword: NEW_PASSWORD };
        expect((await client().resetPasswordEmailCode({ body: reset })).status).to.equal(204);
        return email;
      },
    ],
    [
      'a change of the e-mail',
      async (_account, owner) => {
        const email = uniqueEmail();
        const own = client();
        const code = await own.requestEmailChangeCode(owner, email);
        expect((await own.emailChangeCheck({ ...owner, body: { code } })).status).to.equal(200);
        return email;
      },
    ],
  ];

  // SECURITY.md has a table of what else a proof ends.
  for (const [name, prove] of PROOFS)
    it(`by ${name} is reported by mail if it has removed what others may have set up`, async () => {
      const account = await client().createAccount();
      const owner = await client().openDevice(account);
      // No operation adds a factor before the proof, so the test inserts one.
      await addSecondFactor(records, account.userId);
      const email = await prove(account, owner);
      expect(await service().mails.templatesFor(email)).to.include('setup-removed');
    });

  for (const [name, prove] of PROOFS.slice(1))
    it(`by ${name} again forgets the devices of others, and removes nothing else`, async () => {
      const account = await service().as('customer').createVerifiedAccount();
      const [owner, other] = [await client().openDevice(account), await client().openDevice(account)];
      const email = await prove(account, owner);
      const password = name === 'a reset of the password' ? NEW_PASSWORD : account.password;
      await client().openDevice({ email, password }, other.fingerprint);
      expect(await service().mails.templatesFor(email))
        .to.include('new-device')
        .and.not.to.include('setup-removed');
    });
});
