import { setTimeout as delay } from 'node:timers/promises';
import { openProviderBrowser } from '@platform/dev/testing/provider-browser';
import { CUSTOMER, type Device } from '@platform/shared/testing/auth-client';
import { uniqueFingerprint } from '@platform/shared/testing/builders';
import { formatStatus, type HttpResponse } from '@platform/shared/testing/http-client';
import { PASSKEY_ORIGIN } from '@platform/shared/testing/passkey-client';
import { createSoftwareAuthenticator } from '@platform/shared/testing/software-authenticator';
import { checkDeleted } from './deletions.ts';
import { checkAudit, checkOneWinner, createRace, type Race } from './fixture.ts';
import {
  COMPANY,
  checkOneAccount,
  checkSuccess,
  completeFlow,
  getUserId,
  openFlow,
  type ProviderRaceFixture,
} from './provider-fixture.ts';

const LOGOUT = `/api/v1/auth/oidc/${COMPANY}/backchannel-logout`;
const MAX_DELAY_MILLISECONDS = 12;

const expectStatus = (response: HttpResponse, status: number): HttpResponse => {
  if (response.status === status) return response;
  throw new Error(`${status} was expected, not ${formatStatus(response)}: ${response.text}`);
};

/** A new user without a password. */
const signUp = async ({ oidc, provider }: ProviderRaceFixture) => {
  const sub = provider.addPerson();
  const signedIn = expectStatus(await oidc.signInAs(COMPANY, sub), 200);
  return { sub, userId: getUserId(signedIn), device: oidc.auth.toDevice(signedIn) };
};

/** Adds another way to sign in; returns the route that removes it. */
const addIdentity = async ({ oidc, provider }: ProviderRaceFixture, device: Device): Promise<string> => {
  const callbackUrl = await oidc.getLinkCallback(device, COMPANY, provider.addPerson());
  const linked = expectStatus(await oidc.link(device, COMPANY, callbackUrl), 201);
  return `/identities/${linked.body.id}`;
};

const addPasskey = async ({ oidc: { factors } }: ProviderRaceFixture, device: Device): Promise<string> => {
  const options = expectStatus(await factors.as(device, 'POST', '/passkeys/options', {}), 200);
  const response = createSoftwareAuthenticator(PASSKEY_ORIGIN).create(options.body);
  const created = await factors.as(device, 'POST', '/passkeys', { response, name: 'Laptop' });
  return `/passkeys/${expectStatus(created, 201).body.id}`;
};

/** A user without a password removes both ways to sign in: two identities, or an identity and a passkey. */
export const createLastMethodRace = (fixture: ProviderRaceFixture): Race => {
  const { factors, auth } = fixture.oidc;
  let count = 0;
  return createRace(
    { name: 'removal of the last two ways to sign in', concurrency: 2 },
    async () => {
      count += 1;
      const add = count % 2 ? addIdentity : addPasskey;
      const { userId, device } = await signUp(fixture);
      const { body } = await factors.as(device, 'GET', '/identities');
      return { userId, device, routes: [`/identities/${body.data[0].id}`, await add(fixture, device)] };
    },
    async ({ userId, device, routes: added }, check, round) => {
      const routes = round % 4 < 2 ? added : added.toReversed();
      const responses = await Promise.all(routes.map((route) => factors.as(device, 'DELETE', route, {})));
      checkOneWinner(check, responses, 204, /^LAST_SIGN_IN_METHOD$/);
      const [row] = await fixture.records.query<{ left: number }>(
        `select (select count(*) from identities where user_id = $1)::int
           + (select count(*) from passkeys where user_id = $1)::int as left`,
        [userId],
      );
      check(row?.left === 1, 'one way to sign in is left', row?.left);
      checkSuccess(check, 'the device stays signed in', await auth.me(device));
      return routes.map((route, index) => {
        const [response] = responses.slice(index);
        return `${route.split('/')[1]} ${response && formatStatus(response)}`;
      });
    },
  );
};

/** The provider signs a person out whose device refreshes its tokens. */
export const createLogoutRace = (fixture: ProviderRaceFixture): Race => {
  const { oidc, provider, records, send } = fixture;
  const { auth } = oidc;
  return createRace(
    { name: 'back-channel logout against refresh', concurrency: 2 },
    async () => {
      const sub = provider.addPerson();
      const [browser, fingerprint] = [openProviderBrowser(), uniqueFingerprint()];
      const callbackUrl = await oidc.getCallback(COMPANY, fingerprint, sub, { browser });
      const signedIn = expectStatus(await oidc.signIn(COMPANY, fingerprint, callbackUrl), 200);
      await browser.signOut(provider.issuer);
      const token = provider.getLogoutToken(sub);
      return { userId: getUserId(signedIn), device: auth.toDevice(signedIn), token };
    },
    async ({ userId, device, token }, check, round) => {
      const later = delay((round / 2) % MAX_DELAY_MILLISECONDS);
      const [logout, refreshed] = await Promise.all([
        (round % 2 ? later : Promise.resolve()).then(() =>
          send({
            method: 'POST',
            path: LOGOUT,
            headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
            body: `logout_token=${token}`,
          }),
        ),
        (round % 2 ? Promise.resolve() : later).then(() => auth.refresh(device)),
      ]);
      checkSuccess(check, 'the logout succeeds', logout);
      const isExpected = refreshed.status === 200 || refreshed.code === 'TOKEN_INVALID';
      check(isExpected, 'the refresh is before or after', formatStatus(refreshed));
      const devices = refreshed.status === 200 ? [device, auth.afterRefresh(device, refreshed)] : [device];
      for (const each of devices)
        for (const response of [await auth.me(each), await auth.refresh(each)])
          check(response.code === 'TOKEN_INVALID', 'no token works', formatStatus(response));
      const left = await records.query('select 1 from token_records where user_id = $1', [userId]);
      check(left.length === 0, 'no token record is left', left.length);
      await checkAudit(fixture, check, 'PROVIDER_LOGOUT', userId);
      return [`logout ${formatStatus(logout)}`, `refresh ${formatStatus(refreshed)}`];
    },
  );
};

/** A new device signs in with the provider while another one deletes the account: the person then has a new one. */
export const createProviderDeletionRace = (fixture: ProviderRaceFixture): Race => {
  const { auth, factors } = fixture.oidc;
  return createRace(
    { name: 'deletion against sign-in with a provider', concurrency: 2 },
    async () => {
      const { sub, userId, device } = await signUp(fixture);
      const other = auth.toDevice(await fixture.oidc.signInAs(COMPANY, sub));
      const member = { kind: CUSTOMER, email: sub, password: '', userId };
      return { owner: { member, device, other }, flow: await openFlow(fixture, sub) };
    },
    async ({ owner, flow }, check, round) => {
      const { member, device } = owner;
      const [signedIn, deleted] = await Promise.all([
        completeFlow(fixture, flow),
        delay(2 * (round % MAX_DELAY_MILLISECONDS)).then(() =>
          factors.as(device, 'POST', '/account/delete', {}),
        ),
      ]);
      checkSuccess(check, 'the deletion succeeds', deleted, 204);
      checkSuccess(check, 'the sign-in is before or after', signedIn);
      if (signedIn.status !== 200) return [signedIn, deleted];
      const isBefore = getUserId(signedIn) === member.userId;
      const opened = auth.toDevice(signedIn);
      await checkDeleted(fixture, check, owner, isBefore ? [opened] : []);
      if (!isBefore) {
        checkSuccess(check, 'the new account is signed in', await auth.me(opened));
        await checkOneAccount(fixture, check, member.email, 1);
      }
      return [`deletion ${formatStatus(deleted)}`, `sign-in ${isBefore ? 'before' : 'after'} the deletion`];
    },
  );
};
