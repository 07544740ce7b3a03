import { setTimeout as delay } from 'node:timers/promises';
import { CUSTOMER, EMPLOYEE } from '@platform/shared/testing/auth-client';
import type { Device } from '@platform/shared/testing/device';
import { formatStatus, type HttpResponse } from '@platform/shared/testing/http-client';
import { countDeadlocks } from '@platform/shared/testing/query-database';
import { type Check, checkAudit, createRace, type Member, type Race, type RaceFixture } from './fixture.ts';

const MAX_DELAY_MILLISECONDS = 12;

type Owner = { member: Member; device: Device; other: Device };

export const deleteAccount = (
  fixture: RaceFixture,
  { member, device }: Pick<Owner, 'member' | 'device'>,
): Promise<HttpResponse> =>
  fixture.client(member.kind).accountDelete({ ...device, body: { currentPassword: member.password } });

/** Checks that nothing that identifies the user is left, and that no token is valid. */
export const checkDeleted = async (
  fixture: RaceFixture,
  check: Check,
  { member: { userId, kind }, device, other }: Owner,
  laterDevices: readonly Device[],
) => {
  const [row] = await fixture.records.query<{ found: string }>(
    `select concat_ws(' ', coalesce(email, 'anonymous'), deleted_at is not null,
       (select count(*) from token_records where user_id = u.id), (select count(*) from sessions where user_id = u.id),
       (select count(*) from customer_profiles where user_id = u.id) +
       (select count(*) from employee_profiles where user_id = u.id)) as found from users u where id = $1`,
    [userId],
  );
  check(row?.found === 'anonymous t 0 0 0', 'nothing of the user is left', row?.found);
  for (const each of [device, other, ...laterDevices]) {
    const me = await fixture.client(kind).me(each);
    check(me.code === 'TOKEN_INVALID', 'no token works', formatStatus(me));
  }
  await checkAudit(fixture, check, 'ACCOUNT_DELETED', userId);
};

type Deletion = {
  deleted: HttpResponse;
  results: readonly HttpResponse[];
  /** Devices that the user has opened meanwhile. */
  devices?: readonly Device[];
};

/** Creates a race against the deletion of an account of a customer or an employee with two devices. */
const createDeletionRace = (
  fixture: RaceFixture,
  run: (owner: Owner, check: Check, round: number) => Promise<Deletion>,
): Race => {
  let count = 0;
  return createRace(
    async (): Promise<Owner> => {
      count += 1;
      const member = await fixture.signUp(count % 2 ? CUSTOMER : EMPLOYEE);
      return { member, device: await fixture.signIn(member), other: await fixture.signIn(member) };
    },
    async (owner, check, round) => {
      const { deleted, results, devices = [] } = await run(owner, check, round);
      check(deleted.status === 204, 'the deletion succeeds', formatStatus(deleted));
      await checkDeleted(fixture, check, owner, devices);
      return [`deletion ${formatStatus(deleted)}`, ...results];
    },
  );
};

/** A device deletes the account while this or another device refreshes its tokens. */
export const createDeleteRefreshRace = async (fixture: RaceFixture): Promise<Race> => {
  const deadlocksBefore = await countDeadlocks(fixture.stack.databaseUrl);
  return createDeletionRace(fixture, async (owner, check, round) => {
    const { member, device, other } = owner;
    const auth = fixture.client(member.kind);
    const isSameDevice = round % 2 === 0;
    const refreshing = isSameDevice ? device : other;
    const [first, refreshed] = await Promise.all([
      deleteAccount(fixture, owner),
      delay((round / 2) % MAX_DELAY_MILLISECONDS).then(() => auth.refreshToken(refreshing)),
    ]);
    check(
      refreshed.status === 200 || refreshed.code === 'TOKEN_INVALID',
      'the refresh is before or after',
      formatStatus(refreshed),
    );
    const devices = refreshed.status === 200 ? [auth.afterRefresh(refreshing, refreshed)] : [];
    // A refresh replaces the access token with which the deletion was sent.
    const [renewed] = devices;
    const isReplaced = isSameDevice && first.code === 'TOKEN_INVALID';
    const deleted = isReplaced && renewed ? await deleteAccount(fixture, { member, device: renewed }) : first;
    const deadlocks = (await countDeadlocks(fixture.stack.databaseUrl)) - deadlocksBefore;
    check(deadlocks === 0, 'there is no deadlock', deadlocks);
    return { deleted, results: [refreshed], devices };
  });
};

/** A support request is submitted with the address of an account that is being deleted. */
export const createDeleteContactRace = (fixture: RaceFixture): Race =>
  createDeletionRace(fixture, async (owner, check, round) => {
    const { email } = owner.member;
    const body = { email, subject: 'Help', message: 'Please delete my account.' };
    const [deleted, submitted] = await Promise.all([
      deleteAccount(fixture, owner),
      delay(round % MAX_DELAY_MILLISECONDS).then(() =>
        fixture.send({ method: 'POST', path: '/api/v1/contact/support', body }),
      ),
    ]);
    check(submitted.status === 204, 'the form is accepted', formatStatus(submitted));
    const stored = await fixture.records.query('select 1 from support_requests where email = $1', [email]);
    check(stored.length === 1, 'the form is stored once', stored.length);
    return { deleted, results: [submitted] };
  });
