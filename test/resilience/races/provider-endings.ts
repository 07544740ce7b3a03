import { setTimeout as delay } from 'node:timers/promises';
import { CUSTOMER } from '@platform/shared/testing/auth-client';
import { formatStatus } from '@platform/shared/testing/http-client';
import { getLinkCallback, signInAs } from '../../provider-sign-in.ts';
import { checkDeleted } from './deletions.ts';
import { createRace, type Race } from './fixture.ts';
import {
  COMPANY,
  checkOneAccount,
  checkSuccess,
  completeFlow,
  getUserId,
  openFlow,
  type ProviderRaceFixture,
} from './provider-fixture.ts';

const MAX_DELAY_MILLISECONDS = 12;

/** Creates a user without a password. */
const signUp = async ({ client, provider }: ProviderRaceFixture) => {
  const sub = provider.addPerson();
  const signedIn = await signInAs(client(CUSTOMER), COMPANY, sub);
  return { sub, userId: getUserId(signedIn), device: client(CUSTOMER).toDevice(signedIn) };
};

/**
 * A new device signs in with the provider while another one deletes the account. The person then has a new
 * account.
 */
export const createProviderDeletionRace = (fixture: ProviderRaceFixture): Race => {
  const auth = fixture.client(CUSTOMER);
  return createRace(
    async () => {
      const { sub, userId, device } = await signUp(fixture);
      const other = auth.toDevice(await signInAs(auth, COMPANY, sub));
      const member = { kind: CUSTOMER, email: sub, password: '', userId };
      return { owner: { member, device, other }, flow: await openFlow(fixture, sub) };
    },
    async ({ owner, flow }, check, round) => {
      const { member, device } = owner;
      const [signedIn, deleted] = await Promise.all([
        completeFlow(fixture, flow),
        delay(2 * (round % MAX_DELAY_MILLISECONDS)).then(() => auth.accountDelete({ ...device, body: {} })),
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

/** A user links an identity that signs in for the first time on another device. */
export const createLinkRace = (fixture: ProviderRaceFixture): Race => {
  const { provider, records } = fixture;
  const client = fixture.client(CUSTOMER);
  return createRace(
    async () => {
      const member = await fixture.signUpVerified();
      const device = await fixture.signIn(member);
      const sub = provider.addPerson();
      const confirmation = { currentPassword: member.password };
      const linkCallback = await getLinkCallback(client, device, COMPANY, sub, confirmation);
      return { member, device, sub, linkCallback, flow: await openFlow(fixture, sub) };
    },
    async ({ member, device, sub, linkCallback, flow }, check) => {
      const [linked, signedIn] = await Promise.all([
        client.identityLink({ ...device, identity: COMPANY, body: { callbackUrl: linkCallback } }),
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
