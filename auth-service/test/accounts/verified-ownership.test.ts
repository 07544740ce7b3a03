import type { Device, TestAccount } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail, uniqueFingerprint } from '@platform/shared/testing/builders';
import { PASSKEY_ORIGIN } from '@platform/shared/testing/passkey-client';
import { useRecords } from '@platform/shared/testing/records';
import { expectError } from '@platform/shared/testing/responses';
import { readChallenge } from '@platform/shared/testing/second-factor-client';
import { addSecondFactor, countFactors } from '@platform/shared/testing/second-factors';
import { createSoftwareAuthenticator } from '@platform/shared/testing/software-authenticator';
import { expect } from 'chai';
import { ALL_KINDS, createAccountOfKind, createVerifiedAccount, describeEachKind } from '../auth-service.ts';
import { useCodeService } from '../code-service.ts';
import { createOwnAccountClient, requestCode } from '../own-account/own-account-client.ts';
import { createPasskeyUsers } from '../passkeys/passkey-service.ts';
import { expectChallengeInvalid, WRONG_CODE } from '../second-factor/second-factor-account.ts';

const NEW_PASSWORD = 'A better horse 2';

/** The account after the proof, and whether the session of the owner remains. */
type Proved = { email: string; password: string; keepsSession: boolean };

describe('first proof of an e-mail address', () => {
  const service = useCodeService({ NEW_DEVICE_NOTICE: 'on' });
  const records = useRecords(() => service().databaseUrl);

  describeEachKind(ALL_KINDS, service, (client, kind) => {
    const { passkeys, openAccount } = createPasskeyUsers(service, kind);

    it('precedes second factors and passkeys', async () => {
      const device = await client().openDevice(await createAccountOfKind(service(), kind));
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

    const PROOFS: [name: string, prove: (account: TestAccount, owner: Device) => Promise<Proved>][] = [
      [
        'a verification',
        async ({ email, password }, owner) => {
          const code = await service().requestVerificationCode(kind, owner, email);
          expect((await client().verifyEmail(owner, { code })).status).to.equal(200);
          return { email, password, keepsSession: true };
        },
      ],
      [
        'a reset of the password',
        async ({ email }) => {
          const reset = {
            email,
            code: await service().requestResetCode(kind, email),
            newPassword: NEW_PASSWORD,
          };
          expect((await client().resetPassword(reset)).status).to.equal(204);
          return { email, password: NEW_PASSWORD, keepsSession: false };
        },
      ],
      [
        'a change of the e-mail',
        async ({ password }, owner) => {
          const email = uniqueEmail();
          const own = createOwnAccountClient(client());
          const code = await requestCode(service(), own, owner, email);
          expect((await own.confirmEmailChange(owner, code)).status).to.equal(200);
          return { email, password, keepsSession: true };
        },
      ],
    ];

    for (const [name, prove] of PROOFS)
      it(`by ${name} ends the sessions, sign-ins and factors of others`, async () => {
        const account = await createAccountOfKind(service(), kind);
        const [owner, other] = [await client().openDevice(account), await client().openDevice(account)];
        // An earlier release allowed factors before the proof.
        await addSecondFactor(records, account.userId);
        const fingerprint = uniqueFingerprint();
        const challenge = readChallenge(await client().signIn(account, fingerprint));

        const { email, password, keepsSession } = await prove(account, owner);
        await client().expectSignedOut(other);
        await (keepsSession ? client().expectSignedIn(owner) : client().expectSignedOut(owner));
        expectChallengeInvalid(
          await client().signInSecondFactor({ challenge, recoveryCode: 'any' }, fingerprint),
        );
        expect(await countFactors(records, account.userId)).to.include({
          totp: 0,
          passkeys: 0,
          recoveryCodes: 0,
        });
        const device = await client().openDevice({ email, password }, other.fingerprint);
        expect(device.sessionId, 'the device is forgotten').not.to.equal(other.sessionId);
        expect((await client().me(device)).body.user.isEmailVerified).to.equal(true);
        const templates = (await service().outboxFor(email)).map(({ template }) => template);
        expect(templates).to.include('setup-removed');
      });

    for (const [name, prove] of PROOFS.slice(1))
      it(`by ${name} again forgets the devices of others, and keeps the factors`, async () => {
        const account = await createVerifiedAccount(service(), kind);
        const [owner, other] = [await client().openDevice(account), await client().openDevice(account)];
        const recoveryCodes = [
          "insert into recovery_codes (user_id, code_hash) values ($1, 'one')",
          [account.userId],
        ] as const;
        await records.query(...recoveryCodes);
        const { email, password, keepsSession } = await prove(account, owner);
        await client().expectSignedOut(other);
        await (keepsSession ? client().expectSignedIn(owner) : client().expectSignedOut(owner));
        expect((await countFactors(records, account.userId)).recoveryCodes).to.equal(1);
        const device = await client().openDevice({ email, password }, other.fingerprint);
        expect(device.sessionId, 'the device is forgotten').not.to.equal(other.sessionId);
        const templates = (await service().outboxFor(email)).map(({ template }) => template);
        expect(templates).to.include('new-device').and.not.to.include('setup-removed');
      });
  });
});
