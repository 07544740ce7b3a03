import { setTimeout as delay } from 'node:timers/promises';
import { ADMINISTRATOR, bearer, CUSTOMER, EMPLOYEE } from '@platform/shared/testing/auth-client';
import { PASSWORD } from '@platform/shared/testing/builders';
import type { Device } from '@platform/shared/testing/device';
import { formatStatus, type HttpResponse } from '@platform/shared/testing/http-client';
import { checkDeleted, deleteAccount } from './deletions.ts';
import { type Check, checkAudit, createRace, type Member, type Race, type RaceFixture } from './fixture.ts';

const MAX_DELAY_MILLISECONDS = 12;

const later = <Result>(round: number, work: () => Promise<Result>): Promise<Result> =>
  delay(round % MAX_DELAY_MILLISECONDS).then(work);

/** An ADMIN may give twenty roles an hour. */
const ROLES_OF_ONE_ADMIN = 20;

const openAdministrator = async (fixture: RaceFixture) => {
  const { id: userId, email, password } = await fixture.records.user(['ADMIN']);
  const device = await fixture.signIn({ kind: ADMINISTRATOR, email, password, userId });
  return (method: string, tail: string, body?: object): Promise<HttpResponse> =>
    fixture.send({ method, path: `/api/v1/users/${tail}`, headers: bearer(device), ...(body && { body }) });
};

/** ADMINs who change users. */
const openBackOffice = async (fixture: RaceFixture) => {
  const send = await openAdministrator(fixture);
  let giver = openAdministrator(fixture);
  let given = 0;
  return {
    assign: async ({ userId }: Member, role: string) => {
      if (given === ROLES_OF_ONE_ADMIN) {
        giver = openAdministrator(fixture);
        given = 0;
      }
      given += 1;
      return (await giver)('POST', `${userId}/platform-role`, { role });
    },
    block: ({ userId }: Member) => send('PATCH', `${userId}/block`),
    remove: ({ userId }: Member) => send('DELETE', userId),
    addNote: ({ userId }: Member) => send('POST', `${userId}/notes`, { text: 'A note' }),
  };
};

const findRoles = async ({ records }: RaceFixture, userId: string): Promise<string[]> => {
  const text = 'select role from user_roles where user_id = $1 order by role';
  return (await records.query<{ role: string }>(text, [userId])).map(({ role }) => role);
};

const isOneOf = (response: HttpResponse, ...expected: string[]): boolean =>
  expected.includes(formatStatus(response));

const toPair = (...responses: HttpResponse[]): string => responses.map(formatStatus).join(' and ');

/** Two ADMINs assign different roles. */
export const createAssignmentRace = async (fixture: RaceFixture): Promise<Race> => {
  const backOffice = await openBackOffice(fixture);
  return createRace(
    () => fixture.signUpVerified(),
    async (member, check) => {
      const responses = await Promise.all(
        ['OPERATOR', 'ARBITER'].map((role) => backOffice.assign(member, role)),
      );
      const result = responses.map(formatStatus).sort().join(' and ');
      check(result === '200 and 409 PLATFORM_ROLE_TAKEN', 'one assignment wins', result);
      const roles = await findRoles(fixture, member.userId);
      check(roles.length === 2, 'the user has one platform role', roles);
      await checkAudit(fixture, check, 'ROLE_ASSIGNED', member.userId);
      return [result];
    },
  );
};

/** An ADMIN can never be blocked. */
export const createAssignBlockRace = async (fixture: RaceFixture): Promise<Race> => {
  const backOffice = await openBackOffice(fixture);
  return createRace(
    () => fixture.signUpVerified(),
    async (member, check, round) => {
      const [assigned, blocked] = await Promise.all([
        backOffice.assign(member, 'ADMIN'),
        later(round, () => backOffice.block(member)),
      ]);
      const result = toPair(assigned, blocked);
      const isOrdered = ['200 and 403 USER_IS_ADMIN', '409 USER_IS_BLOCKED and 200'].includes(result);
      check(isOrdered, 'one is before the other', result);
      return [result];
    },
  );
};

/** The owner or an ADMIN deletes the account. */
export const createAssignDeleteRace = async (fixture: RaceFixture): Promise<Race> => {
  const backOffice = await openBackOffice(fixture);
  return createRace(
    async () => {
      const member = await fixture.signUpVerified();
      return { member, device: await fixture.signIn(member) };
    },
    async ({ member, device }, check, round) => {
      const isOwner = round % 2 === 0;
      const remove = () => (isOwner ? deleteAccount(fixture, { member, device }) : backOffice.remove(member));
      const [assigned, deleted] = await Promise.all([
        backOffice.assign(member, 'OPERATOR'),
        later(round / 2, remove),
      ]);
      const roles = await findRoles(fixture, member.userId);
      if (deleted.status === 204) {
        check(assigned.code === 'USER_NOT_FOUND', 'a deleted user gets no role', formatStatus(assigned));
        check(!roles.includes('OPERATOR'), 'a deleted user has no platform role', roles);
      } else {
        check(isOneOf(assigned, '200'), 'the assignment is first', formatStatus(assigned));
        const refusals = isOwner
          ? ['401 TOKEN_INVALID', '409 PLATFORM_ROLE_TAKEN']
          : ['409 PLATFORM_ROLE_TAKEN'];
        check(isOneOf(deleted, ...refusals), 'the deletion is refused', formatStatus(deleted));
        check(roles.includes('OPERATOR'), 'the user has the role', roles);
      }
      return [toPair(assigned, deleted)];
    },
  );
};

/** A stranger takes the address of an account that is being deleted while it gets a role. */
export const createAssignSignUpRace = async (fixture: RaceFixture): Promise<Race> => {
  const backOffice = await openBackOffice(fixture);
  return createRace(
    () => fixture.signUpVerified(),
    async (member, check, round) => {
      const { email } = member;
      const [deleted, assigned, signedUp] = await Promise.all([
        backOffice.remove(member),
        later(round, () => backOffice.assign(member, 'ADMIN')),
        later(round / 3, () => fixture.client(EMPLOYEE).signUp({ body: { email, password: PASSWORD } })),
      ]);
      const isDeleted = deleted.status === 204;
      check(
        isOneOf(assigned, isDeleted ? '404 USER_NOT_FOUND' : '200'),
        'a deleted user gets no role',
        toPair(deleted, assigned),
      );
      check(
        isOneOf(signedUp, '201', '409 EMAIL_TAKEN'),
        'the sign-up is before or after',
        formatStatus(signedUp),
      );
      if (signedUp.status === 201) {
        const roles = await findRoles(fixture, signedUp.body.user.id);
        check(String(roles) === 'EMPLOYEE', 'the new account has no platform role', roles);
        check(isDeleted, 'the address was free', formatStatus(deleted));
      }
      return [toPair(deleted, assigned, signedUp)];
    },
  );
};

type OwnerAction = (
  fixture: RaceFixture,
  owner: { member: Member; device: Device },
  check: Check,
) => Promise<{ response: HttpResponse; devices?: Device[] }>;

/** The actions of the owner while an ADMIN deletes the account. */
export const OWNER_ACTIONS: Record<string, OwnerAction> = {
  "the owner's sign-in": async (fixture, { member }, check) => {
    const { email, password } = member;
    const auth = fixture.client(member.kind);
    const response = await auth.signIn({ fingerprint: 'racing', body: { email, password } });
    check(isOneOf(response, '200', '401 INVALID_CREDENTIALS'), 'no other result', formatStatus(response));
    return { response, devices: response.status === 200 ? [auth.toDevice(response)] : [] };
  },
  "the owner's change": async (fixture, { member, device }, check) => {
    const call = { ...device, body: { firstName: 'Grace' } };
    const response = await fixture.client(member.kind).profileChange(call);
    check(isOneOf(response, '200', '401 TOKEN_INVALID'), 'no other result', formatStatus(response));
    return { response };
  },
  "the owner's deletion": async (fixture, owner, check) => {
    const response = await deleteAccount(fixture, owner);
    check(isOneOf(response, '204', '401 TOKEN_INVALID'), 'no other result', formatStatus(response));
    return { response };
  },
};

export const createAdminDeletionRace =
  (act: OwnerAction) =>
  async (fixture: RaceFixture): Promise<Race> => {
    const backOffice = await openBackOffice(fixture);
    let count = 0;
    return createRace(
      async () => {
        count += 1;
        const member = await fixture.signUp(count % 2 ? CUSTOMER : EMPLOYEE);
        return { member, device: await fixture.signIn(member), other: await fixture.signIn(member) };
      },
      async (owner, check, round) => {
        const [deleted, { response, devices = [] }] = await Promise.all([
          later(round, () => backOffice.remove(owner.member)),
          act(fixture, owner, check),
        ]);
        const isFirst = isOneOf(deleted, '204');
        check(isFirst || isOneOf(deleted, '404 USER_NOT_FOUND'), 'no other result', formatStatus(deleted));
        // Only the owner's deletion can be first.
        check(isFirst !== (response.status === 204), 'one deletion wins', toPair(deleted, response));
        await checkDeleted(fixture, check, owner, devices);
        return [toPair(deleted, response)];
      },
    );
  };

export const createNoteRace = async (fixture: RaceFixture): Promise<Race> => {
  const backOffice = await openBackOffice(fixture);
  return createRace(
    () => fixture.signUp(),
    async (member, check, round) => {
      const [deleted, added] = await Promise.all([
        later(round, () => backOffice.remove(member)),
        backOffice.addNote(member),
      ]);
      check(deleted.status === 204, 'the deletion succeeds', formatStatus(deleted));
      check(isOneOf(added, '201', '404 USER_NOT_FOUND'), 'the note is before or after', formatStatus(added));
      const notes = await fixture.records.query('select 1 from user_notes where user_id = $1', [
        member.userId,
      ]);
      check(notes.length === 0, 'no note is left', notes.length);
      return [toPair(deleted, added)];
    },
  );
};
