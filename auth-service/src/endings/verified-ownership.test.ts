import { CUSTOMER, type Device, type TestAccount } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail } from '@platform/shared/testing/builders';
import { PASSKEY_ORIGIN } from '@platform/shared/testing/passkey-client';
import { useRecords } from '@platform/shared/testing/records';
import { expectError } from '@platform/shared/testing/responses';
import { addSecondFactor } from '@platform/shared/testing/second-factors';
import { createSoftwareAuthenticator } from '@platform/shared/testing/software-authenticator';
import { expect } from 'chai';
import { createVerifiedAccount } from '../../testing/auth-service.ts';
import { useCodeService } from '../../testing/code-service.ts';
import { createOwnAccountClient, requestCode } from '../../testing/own-account-client.ts';
import { createPasskeyUsers } from '../../testing/passkey-service.ts';
import { WRONG_CODE } from '../../testing/second-factor-account.ts';

const NEW_PASSWORD = 'A better horse 2';

/** Proves the address of the account, and returns that address. */
type Prove = (account: TestAccount, owner: Device) => Promise<string>;

describe('first proof of an e-mail address', () => {
  const service = useCodeService({ NEW_DEVICE_NOTICE: 'on' });
  const records = useRecords(() => service().databaseUrl);

  const client = () => service().client(CUSTOMER);
  const { passkeys, openAccount } = createPasskeyUsers(service, CUSTOMER);

  it('precedes second factors and passkeys', async () => {
    const device = await client().openDevice(await client().createAccount());
    const { body } = await passkeys().creationOptions((await openAccount()).device);
    const attestation = createSoftwareAuthenticator(PASSKEY_ORIGIN).create(body);
    for (const response of [
      await client().setUpTotp(device, { currentPassword: PASSWORD }),
      await client().confirmTotp(device, { code: WRONG_CODE }),
      await passkeys().creationOptions(device),
      await passkeys().create(device, attestation),
    ])
      expectError(response, 403, 'EMAIL_NOT_VERIFIED');
  });

  const PROOFS: [name: string, Prove][] = [
    [
      'a verification',
      async ({ email }, owner) => {
        const code = await service().requestVerificationCode(CUSTOMER, owner, email);
        expect((await client().verifyEmail(owner, { code })).status).to.equal(200);
        return email;
      },
    ],
    [
      'a reset of the password',
      async ({ email }) => {
        const code = await service().requestResetCode(CUSTOMER, email);
        const reset = { email, code, newPassword: NEW_PASSWORD };
        expect((await client().resetPassword(reset)).status).to.equal(204);
        return email;
      },
    ],
    [
      'a change of the e-mail',
      async (_account, owner) => {
        const email = uniqueEmail();
        const own = createOwnAccountClient(client());
        const code = await requestCode(service(), own, owner, email);
        expect((await own.confirmEmailChange(owner, code)).status).to.equal(200);
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
      expect(await service().templatesFor(email)).to.include('setup-removed');
    });

  for (const [name, prove] of PROOFS.slice(1))
    it(`by ${name} again forgets the devices of others, and removes nothing else`, async () => {
      const account = await createVerifiedAccount(service(), CUSTOMER);
      const [owner, other] = [await client().openDevice(account), await client().openDevice(account)];
      const email = await prove(account, owner);
      const password = name === 'a reset of the password' ? NEW_PASSWORD : account.password;
      await client().openDevice({ email, password }, other.fingerprint);
      expect(await service().templatesFor(email))
        .to.include('new-device')
        .and.not.to.include('setup-removed');
    });
});
