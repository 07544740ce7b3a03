import { CUSTOMER } from '@platform/shared/testing/auth-client';
import { PASSWORD, WRONG_PASSWORD } from '@platform/shared/testing/builders';
import { expectError } from '@platform/shared/testing/responses';
import { createSoftwareAuthenticator } from '@platform/shared/testing/software-authenticator';
import { expect } from 'chai';
import { useAuthService } from '../../testing/auth-service.ts';
import { FORGED_ASSERTIONS } from '../../testing/forged-assertions.ts';
import {
  expectChallengeInvalid,
  expectFactorInvalid,
  expectWrongPassword,
} from '../../testing/second-factor.ts';

const OPTIONAL = ['without a verified user', 'without a user handle'];
/** A second step needs neither a verified user nor the user handle. */
const FORGED = FORGED_ASSERTIONS.filter(([name]) => !OPTIONAL.includes(name));

describe('passkey as second factor', () => {
  const service = useAuthService();

  const client = () => service().as('customer');

  describe('in the second step of a sign-in', () => {
    it('returns options for the passkeys of the account', async () => {
      const { account, device, passkeyId } = await client().openAccountWithPasskeyStep();
      await client().addPasskey(device, { authenticator: createSoftwareAuthenticator() });
      const { options } = await client().startPasskeyStep(account);
      expect(options).to.include({ rpId: 'localhost', userVerification: 'preferred', timeout: 300_000 });
      expect(options.allowCredentials).to.have.lengthOf(2);
      expect(options.allowCredentials[0]).to.have.all.keys('id', 'type', 'transports');
      expect(JSON.stringify(options)).not.to.include(account.userId).and.not.to.include(passkeyId);
    });

    it('finishes the sign-in, also without a verified user', async () => {
      const { account, authenticator } = await client().openAccountWithPasskeyStep();
      for (const overrides of [{}, { userVerified: false }, { userHandle: null }]) {
        const { challenge, fingerprint, options } = await client().startPasskeyStep(account);
        const assertion = authenticator.get(options, overrides);
        const device = client().toDevice(
          await client().signInSecondFactor({
            fingerprint,
            body: { challenge, passkey: assertion },
          }),
        );
        expect(await client().readMethods(device)).to.deep.equal(['password', 'passkey']);
      }
    });

    for (const [name, overrides] of FORGED)
      it(`rejects an assertion ${name}`, async () => {
        const { account, authenticator } = await client().openAccountWithPasskeyStep();
        const { challenge, fingerprint, options } = await client().startPasskeyStep(account);
        const assertion = authenticator.get(options, overrides);
        const response = await client().signInSecondFactor({
          fingerprint,
          body: { challenge, passkey: assertion },
        });
        expectFactorInvalid(response);
        const details = { kind: CUSTOMER.kind, step: 'second-factor', reason: 'WRONG_FACTOR' };
        await service().records.waitForFailedSignIn(account.userId, details);
      });

    for (const userHandle of [null, ''])
      it(`takes the user handle ${JSON.stringify(userHandle)} as absent`, async () => {
        const { account, authenticator } = await client().openAccountWithPasskeyStep();
        const { challenge, fingerprint, options } = await client().startPasskeyStep(account);
        const assertion = authenticator.get(options);
        const passkey = { ...assertion, response: { ...assertion.response, userHandle } };
        const response = await client().signInSecondFactor({ fingerprint, body: { challenge, passkey } });
        expect(response.status, response.text).to.equal(200);
      });

    it('accepts an assertion whose transaction is repeated after a deadlock', async () => {
      const { account, authenticator } = await client().openAccountWithPasskeyStep();
      const { challenge, fingerprint, options } = await client().startPasskeyStep(account);
      // A sequence is not rolled back, so only the first attempt fails.
      const name = `deadlock_${account.userId.replaceAll('-', '')}`;
      await service().records.query(`create sequence ${name};
            create function ${name}() returns trigger language plpgsql security definer as $$ begin
              if nextval('${name}') = 1 then raise exception using errcode = 'deadlock_detected'; end if;
              return new;
            end $$;
            create trigger ${name} before insert on sessions for each row when (new.user_id = '${account.userId}')
              execute function ${name}()`);
      const response = await client().signInSecondFactor({
        fingerprint,
        body: { challenge, passkey: authenticator.get(options) },
      });
      expect(response.status, JSON.stringify(response.body)).to.equal(200);
      const [{ calls } = {}] = await service().records.query(`select last_value::int as calls from ${name}`);
      expect(calls).to.equal(2);
    });

    it('accepts a correct assertion with new options after a wrong one', async () => {
      const { account, authenticator } = await client().openAccountWithPasskeyStep();
      const { challenge, fingerprint, options } = await client().startPasskeyStep(account);
      const wrong = authenticator.get(options, { tamperSignature: true });
      expectFactorInvalid(
        await client().signInSecondFactor({ fingerprint, body: { challenge, passkey: wrong } }),
      );
      // The options were used up by the first attempt.
      expectFactorInvalid(
        await client().signInSecondFactor({
          fingerprint,
          body: { challenge, passkey: authenticator.get(options) },
        }),
      );
      const { body } = await client().signInSecondFactorOptions({
        fingerprint,
        body: { challenge },
      });
      const response = await client().signInSecondFactor({
        fingerprint,
        body: { challenge, passkey: authenticator.get(body) },
      });
      expect(response.status, response.text).to.equal(200);
    });

    it('rejects a passkey of another user', async () => {
      const [mine, stranger] = [
        await client().openAccountWithPasskeyStep(),
        await client().openAccountWithPasskeyStep(),
      ];
      const { challenge, fingerprint, options } = await client().startPasskeyStep(mine.account);
      const assertion = stranger.authenticator.get({ ...options, allowCredentials: [] });
      const response = await client().signInSecondFactor({
        fingerprint,
        body: { challenge, passkey: assertion },
      });
      expectFactorInvalid(response);
    });

    it('rejects another device, whose attempts use up those of the challenge', async () => {
      const { account, authenticator } = await client().openAccountWithPasskeyStep();
      const { challenge, fingerprint, options } = await client().startPasskeyStep(account);
      const passkey = authenticator.get(options);
      expectChallengeInvalid(
        await client().signInSecondFactorOptions({ fingerprint: 'another', body: { challenge } }),
      );
      const body = { challenge, passkey };
      for (const _ of [2, 3, 4, 5])
        expectChallengeInvalid(await client().signInSecondFactor({ fingerprint: 'another', body }));
      expectChallengeInvalid(await client().signInSecondFactor({ fingerprint, body }));
    });

    it('returns no options for an unknown challenge, and after a change of the factors', async () => {
      const { account, device } = await client().openAccountWithPasskeyStep();
      for (const challenge of ['unknown', '', 'x'.repeat(129)])
        expectChallengeInvalid(
          await client().signInSecondFactorOptions({ fingerprint: 'device', body: { challenge } }),
        );
      const { challenge, fingerprint } = await client().startSignIn(account);
      await client().addPasskey(device, { authenticator: createSoftwareAuthenticator() });
      expectChallengeInvalid(await client().signInSecondFactorOptions({ fingerprint, body: { challenge } }));
    });

    it('rejects a signature counter that goes back, and audits it', async () => {
      const { account, authenticator } = await client().openAccountWithPasskeyStep();
      expect((await client().signInWithPasskey(authenticator)).status).to.equal(200);
      const { challenge, fingerprint, options } = await client().startPasskeyStep(account);
      const assertion = authenticator.get(options, { counter: 1 });
      expectFactorInvalid(
        await client().signInSecondFactor({
          fingerprint,
          body: { challenge, passkey: assertion },
        }),
      );
      await service().records.waitForFailedSignIn(account.userId, { reason: 'WRONG_FACTOR' });
    });
  });

  describe('for a confirmation', () => {
    it('returns 404 for options without a passkey', async () => {
      const { device } = await client().openVerifiedAccount();
      expectError(await client().secondFactorOptions(device), 404, 'PASSKEY_NOT_FOUND');
    });

    it('returns recovery codes, with the password, once', async () => {
      const { device, authenticator } = await client().openAccountWithPasskeyStep();
      const passkey = await client().createAssertion(device, authenticator);
      const wrong = await client().recoveryCodesReplace({
        ...device,
        body: {
          currentPassword: WRONG_PASSWORD,
          passkey,
        },
      });
      expectWrongPassword(wrong);
      const body = { currentPassword: PASSWORD, passkey };
      const response = await client().recoveryCodesReplace({ ...device, body });
      expect(response.status, response.text).to.equal(200);
      expect(response.body.recoveryCodes).to.have.lengthOf(10);
      expectFactorInvalid(await client().recoveryCodesReplace({ ...device, body }));
    });
  });
});
