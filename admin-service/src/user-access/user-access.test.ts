import { randomUUID } from 'node:crypto';
import { createKeyedHashes, hashAddress } from '@platform/shared/platform/codes/keyed-hashes';
import { countSessions } from '@platform/shared/testing/query-database';
import { expectError } from '@platform/shared/testing/responses';
import { addSecondFactor, countFactors } from '@platform/shared/testing/second-factors';
import { expect } from 'chai';
import { CODE_SECRET, useAdminService } from '../../testing/admin-service.ts';

describe('help for somebody who cannot sign in', () => {
  const service = useAdminService();
  const administrator = () => service().administrator;
  const records = () => service().records;
  const addSession = async (userId: string, method = 'password') => {
    await records().query(
      `with tokens as (
         insert into token_records (user_id, access_token_id, access_token_expired_at, refresh_token_id,
           refresh_token_expired_at, methods)
         values ($1, $2, now() + interval '1 hour', $3, now() + interval '2 hours', array[$4]) returning id
       )
       insert into sessions (user_id, token_id, fingerprint, ip) select $1, id, $2, '127.0.0.1' from tokens`,
      [userId, randomUUID(), randomUUID(), method],
    );
  };
  const createSecuredUser = async (roles: ('CUSTOMER' | 'ADMIN')[] = ['CUSTOMER']) => {
    const user = await records().user(roles);
    await addSecondFactor(records(), user.id);
    await addSession(user.id);
    return user;
  };
  const passkeyOf = async (id: string): Promise<string> =>
    (await administrator().getUser({ id })).body.passkeys[0].id;
  const countTokens = async (id: string) => (await countSessions(service().databaseUrl, id)).tokenRecords;
  const mailsTo = async (email: string) =>
    (await records().query(`select mail from mail_outbox where mail->>'to' = $1`, [email])).map(
      ({ mail }) => mail,
    );
  const isStepOn = async (id: string) =>
    (await records().query('select is_second_step_on as "isOn" from users where id = $1', [id]))[0]?.['isOn'];

  describe('removal of one factor', () => {
    it('of the app keeps the passkey; the recovery codes go, because no second step is due any more', async () => {
      const { id, email } = await createSecuredUser();
      expect((await administrator().removeTotpOfUser({ id })).status).to.equal(204);
      expect(await countFactors(records(), id)).to.deep.equal({
        totp: 0,
        passkeys: 1,
        recoveryCodes: 0,
        version: 2,
      });
      expect(await countTokens(id)).to.equal(0);
      expect(await mailsTo(email)).to.have.lengthOf(1);
      expect((await mailsTo(email))[0]).to.include({
        template: 'second-factor-changed',
        change: 'totp-removed-by-administrator',
      });
      expect((await records().auditOf(id, 'SECOND_FACTOR_RESET'))[0]).to.deep.include({
        actorId: administrator().id,
        details: { factor: 'totp' },
      });
      expectError(await administrator().removeTotpOfUser({ id }), 404, 'FACTOR_NOT_FOUND');
    });

    it('of a passkey keeps the app and the recovery codes', async () => {
      const { id, email } = await createSecuredUser();
      const passkeyId = await passkeyOf(id);
      expect((await administrator().removePasskeyOfUser({ id, passkeyId })).status).to.equal(204);
      expect(await countFactors(records(), id)).to.deep.equal({
        totp: 1,
        passkeys: 0,
        recoveryCodes: 2,
        version: 2,
      });
      expect(await countTokens(id)).to.equal(0);
      expect((await mailsTo(email))[0]).to.include({ change: 'passkey-removed-by-administrator' });
      expect((await records().auditOf(id, 'SECOND_FACTOR_RESET'))[0]?.details).to.deep.equal({
        factor: 'passkey',
        passkeyId,
      });
      expectError(await administrator().removePasskeyOfUser({ id, passkeyId }), 404, 'PASSKEY_NOT_FOUND');
    });

    it('keeps the recovery codes while the second step is switched on, and ends it with the last factor', async () => {
      const { id } = await createSecuredUser();
      await records().query('update users set is_second_step_on = true where id = $1', [id]);
      await administrator().removeTotpOfUser({ id });
      expect(await countFactors(records(), id)).to.include({ passkeys: 1, recoveryCodes: 2 });
      expect(await isStepOn(id)).to.equal(true);
      await administrator().removePasskeyOfUser({ id, passkeyId: await passkeyOf(id) });
      expect(await countFactors(records(), id)).to.include({ passkeys: 0, recoveryCodes: 0 });
      expect(await isStepOn(id)).to.equal(false);
    });

    it('is possible for the last factor of an ADMIN, but not for one’s own', async () => {
      const { id } = await createSecuredUser(['ADMIN']);
      await administrator().removeTotpOfUser({ id });
      const passkeyId = await passkeyOf(id);
      expect((await administrator().removePasskeyOfUser({ id, passkeyId })).status).to.equal(204);
      const own = administrator().id;
      expectError(await administrator().removeTotpOfUser({ id: own }), 403, 'OWN_SECOND_FACTOR');
      expectError(
        await administrator().removePasskeyOfUser({ id: own, passkeyId }),
        403,
        'OWN_SECOND_FACTOR',
      );
    });

    it('does not reach the passkey of another user', async () => {
      const [one, other] = [await createSecuredUser(), await createSecuredUser()];
      const passkeyId = await passkeyOf(other.id);
      expectError(
        await administrator().removePasskeyOfUser({ id: one.id, passkeyId }),
        404,
        'PASSKEY_NOT_FOUND',
      );
      expect(await countFactors(records(), other.id)).to.include({ passkeys: 1, version: 1 });
    });
  });

  describe('removal of a provider’s account', () => {
    const link = async (userId: string) => {
      const [row] = await records().query<{ id: string }>(
        `insert into identities (user_id, provider, issuer, subject)
         values ($1::uuid, 'company', 'https://login.example.com', $1::text) returning id`,
        [userId],
      );
      return row?.id ?? '';
    };

    it('ends only the sessions that it has opened, and sign-ins that wait', async () => {
      const { id, email } = await records().user(['CUSTOMER']);
      const identityId = await link(id);
      await addSession(id, 'oidc:company');
      await addSession(id);
      expect((await administrator().unlinkIdentityOfUser({ id, identityId })).status).to.equal(204);
      expect(await countSessions(service().databaseUrl, id)).to.deep.equal({ sessions: 2, tokenRecords: 1 });
      expect(await countFactors(records(), id)).to.include({ version: 1 });
      expect((await administrator().getUser({ id })).body.identities).to.deep.equal([]);
      expect((await mailsTo(email))[0]).to.include({ template: 'identity-unlinked', provider: 'company' });
      expect((await records().auditOf(id, 'IDENTITY_UNLINKED'))[0]).to.deep.include({
        actorId: administrator().id,
        details: { provider: 'company' },
      });
      expectError(await administrator().unlinkIdentityOfUser({ id, identityId }), 404, 'IDENTITY_NOT_FOUND');
    });

    it('is refused if nothing else can sign in, and changes nothing', async () => {
      const { id, email } = await records().user(['CUSTOMER']);
      await records().query('update users set password_hash = null where id = $1', [id]);
      const identityId = await link(id);
      await addSession(id, 'oidc:company');
      const unlink = () => administrator().unlinkIdentityOfUser({ id, identityId });
      expectError(await unlink(), 409, 'LAST_SIGN_IN_METHOD');
      expect(await countTokens(id)).to.equal(1);
      expect(await mailsTo(email)).to.deep.equal([]);
      await records().query(
        `insert into passkeys (user_id, credential_id, public_key, counter, name, verifies_user)
         values ($1, $2, '\\x00', 0, 'Key', false)`,
        [id, randomUUID()],
      );
      expectError(await unlink(), 409, 'LAST_SIGN_IN_METHOD');
      await records().query('update passkeys set verifies_user = true where user_id = $1', [id]);
      expect((await unlink()).status).to.equal(204);
    });
  });

  describe('end of a pause', () => {
    const pause = (id: string, secret: string, waits = '1 hour', scope = 'account') =>
      records().query(
        `insert into failed_guesses (subject, secret, scope, failures, waits_until, expires_at)
         values ($1, $2, $3, 100, now() + $4::interval, 'infinity')`,
        [id, secret, scope, waits],
      );

    for (const [secret, stored] of [
      ['password', 'password'],
      ['second-factor', 'second-factor'],
      ['email-code', 'code'],
    ] as const)
      it(`of ${secret} lets the account try again, is recorded, and is done once`, async () => {
        const { id } = await records().user(['CUSTOMER']);
        for (const each of ['password', 'second-factor', 'code']) await pause(id, each);
        const end = () => administrator().endPauseOfUser({ id, secret });
        const both = await Promise.all([end(), end()]);
        expect(both.map(({ status }) => status)).to.have.members([204, 404]);
        expectError(await end(), 404, 'PAUSE_NOT_FOUND');
        const left = (await administrator().getUser({ id })).body.pauses;
        expect(left.map((each: { secret: string }) => each.secret))
          .to.have.lengthOf(2)
          .and.not.include(secret);
        const rows = await records().query('select secret from failed_guesses where subject = $1', [id]);
        expect(rows.map((row) => row['secret'])).not.to.include(stored);
        const recorded = await records().auditOf(id, 'PAUSE_ENDED');
        expect(recorded.map(({ actorId, details }) => [actorId, details])).to.deep.equal([
          [administrator().id, { secret }],
        ]);
      });

    it('of email-code also ends the one at an unverified address, and clears the failures at both', async () => {
      const { id, email } = await records().user(['CUSTOMER'], { isEmailVerified: false });
      const [hash] = createKeyedHashes({ current: CODE_SECRET, previous: [] });
      const address = hashAddress(hash, email);
      const countRows = async () =>
        (await records().query('select from failed_guesses where subject in ($1, $2)', [id, address])).length;
      const pausesOf = async () => (await administrator().getUser({ id })).body.pauses;
      const end = () => administrator().endPauseOfUser({ id, secret: 'email-code' });
      await pause(address, 'code', '2 hours', 'email');
      await pause(id, 'code', '-1 second');
      const [{ secret, until }, ...others] = await pausesOf();
      expect([secret, others]).to.deep.equal(['email-code', []]);
      expect(Date.parse(until)).to.be.closeTo(Date.now() + 7_200_000, 60_000);
      await records().query('update users set is_email_verified = true where id = $1', [id]);
      expect(await pausesOf()).to.deep.equal([]);
      expectError(await end(), 404, 'PAUSE_NOT_FOUND');
      await records().query('update users set is_email_verified = false where id = $1', [id]);
      expect((await end()).status).to.equal(204);
      expect(await pausesOf()).to.deep.equal([]);
      expect(await countRows()).to.equal(0);
    });

    it('of a password leaves what an address without an account once had', async () => {
      const { id, email } = await records().user(['CUSTOMER'], { isEmailVerified: false });
      const [hash] = createKeyedHashes({ current: CODE_SECRET, previous: [] });
      await pause(hashAddress(hash, email), 'password', '1 hour', 'email');
      expect((await administrator().getUser({ id })).body.pauses).to.deep.equal([]);
      expectError(await administrator().endPauseOfUser({ id, secret: 'password' }), 404, 'PAUSE_NOT_FOUND');
    });

    it('is not found when the pause has ended by itself, or delays a network only', async () => {
      const { id } = await records().user(['CUSTOMER']);
      await pause(id, 'password', '-1 second');
      await pause(id, 'code', '1 hour', 'network');
      for (const secret of ['password', 'email-code'] as const)
        expectError(await administrator().endPauseOfUser({ id, secret }), 404, 'PAUSE_NOT_FOUND');
    });

    it('returns 400 for a word that is no secret', async () => {
      const { id } = await records().user(['CUSTOMER']);
      for (const secret of ['code', 'network', 'PASSWORD'])
        expectError(
          await administrator().send('DELETE', `/users/${id}/pauses/${secret}`),
          400,
          'VALIDATION_FAILED',
          '/params/secret',
        );
    });
  });

  it('returns 404 for unknown and deleted users', async () => {
    const deleted = await records().user(['CUSTOMER']);
    await records().deleteAccount(deleted.id);
    for (const id of [randomUUID(), deleted.id])
      for (const path of ['totp', `passkeys/${id}`, `identities/${id}`, 'pauses/password'])
        expectError(await administrator().send('DELETE', `/users/${id}/${path}`), 404, 'USER_NOT_FOUND');
  });
});
