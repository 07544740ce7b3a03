import { randomUUID } from 'node:crypto';
import { PASSWORD, uniqueFingerprint } from '@platform/shared/testing/builders';
import type { Device } from '@platform/shared/testing/device';
import { holdLock } from '@platform/shared/testing/hold-lock';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import { expect } from 'chai';
import { useAuthService } from '../../testing/auth-service.ts';
import { newPerson, redirectTo, useProvider, visit } from '../../testing/provider.ts';

const ROUNDS = 10;

describe('races of sign-ins with a provider', () => {
  const provider = useProvider();
  const service = useAuthService(() => provider().settings);
  const client = () => service().as('customer');

  /** Prepares sign-ins of one person up to the callback. */
  const prepare = async (claims: object, count: number) => {
    provider().misbehave({ claims: { ...claims } });
    const waiting = [];
    for (let index = 0; index < count; index += 1) {
      const fingerprint = uniqueFingerprint();
      const callbackUrl = await visit(
        await client().oidcAuthorize({ provider: 'company', fingerprint, body: redirectTo('company') }),
      );
      waiting.push(() => client().oidcSignIn({ fingerprint, provider: 'company', body: { callbackUrl } }));
    }
    return waiting;
  };
  const toOutcomes = (responses: HttpResponse[]) => responses.map(({ status, code }) => code ?? status);

  it('two first sign-ins of one identity create one account', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const signIns = await prepare(newPerson(), 2);
      const responses = await Promise.all(signIns.map((signIn) => signIn()));
      expect(toOutcomes(responses)).to.deep.equal([200, 200]);
      expect(new Set(responses.map(({ body }) => body.user.id)).size).to.equal(1);
    }
  });

  it('a state is accepted once, also from two concurrent requests', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const [signIn] = await prepare(newPerson(), 1);
      if (!signIn) throw new Error('There is no sign-in');
      const outcomes = toOutcomes(await Promise.all([signIn(), signIn()]));
      expect(outcomes).to.have.members([200, 'OIDC_STATE_INVALID']);
    }
  });

  it('a sign-up with the address and a first sign-in result in one account', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const person = newPerson();
      const [signIn] = await prepare(person, 1);
      const [signedUp, signedIn] = await Promise.all([
        service()
          .as('customer')
          .signUp({ body: { email: person.email, password: PASSWORD } }),
        signIn?.(),
      ]);
      expect(signedIn?.status, signedIn?.text).to.equal(200);
      expect([201, 409]).to.include(signedUp.status);
      // The person who signed up has not proved the address, but the provider has.
      await service().as('customer').expectNoSignIn({ email: person.email, password: PASSWORD });
    }
  });

  it('an identity that is removed while its sign-in waits does not sign in; the address decides again', async () => {
    const person = newPerson();
    await provider().signInWith(service().as('customer'), 'company', person);
    const [signIn] = await prepare(person, 1);
    const ofUser = `from users where email = '${person.email}'`;
    const lock = await holdLock(service().databaseUrl, `select 1 ${ofUser} for update`);
    const pending = signIn?.();
    await lock.untilWaiting(1);
    await service().records.query(`delete from identities where user_id = (select id ${ofUser})`);
    await lock.release();
    const response = await pending;
    expect(response?.status, response?.text).to.equal(200);
    expect(await service().mails.templatesFor(person.email)).to.deep.equal(['identity-linked']);
  });

  it('a sign-out at the provider ends a session during its refresh', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const sid = randomUUID();
      const person = { ...newPerson(), sid };
      const auth = service().as('customer');
      const device = auth.toDevice(await provider().signInWith(service().as('customer'), 'company', person));
      const token = await provider().createLogoutToken({ sub: person.sub, sid });
      const [refreshed, ended] = await Promise.all([
        auth.refreshToken(device),
        auth.oidcBackchannelLogout({ provider: 'company', form: { logout_token: token } }),
      ]);
      expect(ended.status, ended.text).to.equal(200);
      const current: Device = refreshed.status === 200 ? auth.afterRefresh(device, refreshed) : device;
      expect((await auth.me(current)).status).to.equal(401);
      expect((await auth.refreshToken(current)).status).to.equal(401);
    }
  });
});
