import { setTimeout as delay } from 'node:timers/promises';
import { PASSWORD, uniqueFingerprint } from '@platform/shared/testing/builders';
import { formatStatus } from '@platform/shared/testing/http-client';
import { checkAudit, checkOneWinner, createRace, type Race, range } from './fixture.ts';
import {
  COMPANY,
  checkOneAccount,
  checkSuccess,
  completeFlow,
  getUserId,
  openFlow,
  type ProviderRaceFixture,
} from './provider-fixture.ts';

const USES = 4;
const DEVICES = 3;

/** A callback is sent several times. */
export const createStateRace = (fixture: ProviderRaceFixture): Race =>
  createRace(
    { name: 'use of one state of a provider', concurrency: USES },
    async () => {
      const sub = fixture.provider.addPerson();
      return { sub, flow: await openFlow(fixture, sub) };
    },
    async ({ sub, flow }, check) => {
      const responses = await Promise.all(range(USES).map(() => completeFlow(fixture, flow)));
      checkOneWinner(check, responses, 200, /^OIDC_STATE_INVALID$/);
      await checkOneAccount(fixture, check, sub, 1);
      return responses;
    },
  );

/** A person signs in for the first time, on several devices. */
export const createFirstSignInRace = (fixture: ProviderRaceFixture): Race =>
  createRace(
    { name: 'first sign-ins of one identity', concurrency: DEVICES },
    async () => {
      const sub = fixture.provider.addPerson();
      return { sub, flows: await Promise.all(range(DEVICES).map(() => openFlow(fixture, sub))) };
    },
    async ({ sub, flows }, check) => {
      const responses = await Promise.all(flows.map((flow) => completeFlow(fixture, flow)));
      for (const response of responses) checkSuccess(check, 'all sign in', response);
      const users = new Set(responses.map(getUserId));
      check(users.size === 1, 'they have one account', users.size);
      await checkOneAccount(fixture, check, sub, DEVICES);
      for (const userId of users) await checkAudit(fixture, check, 'IDENTITY_LINKED', userId);
      return responses;
    },
  );

/** A person signs in for the first time while another one signs up with the address: an unverified address is nobody's. */
export const createAddressRace = (fixture: ProviderRaceFixture): Race => {
  const { auth } = fixture.oidc;
  let signInMilliseconds = 20;
  return createRace(
    { name: 'link by a provider against sign-up with the address', concurrency: 2 },
    async () => {
      const sub = fixture.provider.addPerson();
      return { sub, flow: await openFlow(fixture, sub) };
    },
    async ({ sub: email, flow }, check, round) => {
      const [signedIn, signedUp] = await Promise.all([
        completeFlow(fixture, flow),
        // The sign-in calls the provider first and writes last.
        delay(((round % 12) / 20) * signInMilliseconds).then(() =>
          auth.signUp({ email, password: PASSWORD }),
        ),
      ]);
      signInMilliseconds = signedIn.milliseconds;
      checkSuccess(check, 'the owner signs in', signedIn);
      const isExpected = signedUp.status === 201 || signedUp.code === 'EMAIL_TAKEN';
      check(isExpected, 'the sign-up is before or after', formatStatus(signedUp));
      await checkOneAccount(fixture, check, email, 1);
      const other = await auth.signIn({ email, password: PASSWORD }, uniqueFingerprint());
      check(other.code === 'INVALID_CREDENTIALS', 'the other password never works', formatStatus(other));
      if (signedIn.status === 200)
        checkSuccess(check, "the owner's session works", await auth.me(auth.toDevice(signedIn)));
      return [`sign-in ${formatStatus(signedIn)}`, `sign-up ${formatStatus(signedUp)}`];
    },
  );
};

/** A user links an identity that signs in for the first time on another device. */
export const createLinkRace = (fixture: ProviderRaceFixture): Race => {
  const { oidc, provider, records } = fixture;
  return createRace(
    { name: 'link against first sign-in of the identity', concurrency: 2 },
    async () => {
      const member = await fixture.signUpVerified();
      const device = await fixture.signIn(member);
      const sub = provider.addPerson();
      const confirmation = { currentPassword: member.password };
      const linkCallback = await oidc.getLinkCallback(device, COMPANY, sub, confirmation);
      return { member, device, sub, linkCallback, flow: await openFlow(fixture, sub) };
    },
    async ({ member, device, sub, linkCallback, flow }, check) => {
      const [linked, signedIn] = await Promise.all([
        oidc.link(device, COMPANY, linkCallback),
        completeFlow(fixture, flow),
      ]);
      checkSuccess(check, 'the identity signs in', signedIn);
      const isLinked = linked.status === 201;
      check(
        isLinked || linked.code === 'IDENTITY_TAKEN',
        'the link is before or after',
        formatStatus(linked),
      );
      const isOwn = getUserId(signedIn) === member.userId;
      check(isOwn === isLinked, 'it signs in to the user who has it', isOwn);
      const owners = await records.query<{ userId: string }>(
        'select user_id as "userId" from identities where subject = $1',
        [sub],
      );
      const isConsistent = owners.length === 1 && owners[0]?.userId === getUserId(signedIn);
      check(isConsistent, 'the identity has one owner', owners.length);
      const users = await records.query('select 1 from users where email = $1', [sub]);
      check(users.length === (isLinked ? 0 : 1), 'only an identity of nobody signs up', users.length);
      return [`link ${formatStatus(linked)}`, `sign-in ${formatStatus(signedIn)}`];
    },
  );
};
