import { type Device, EMPLOYEE } from '@platform/shared/testing/auth-client';
import { uniqueEmail } from '@platform/shared/testing/builders';
import { formatStatus } from '@platform/shared/testing/http-client';
import { codeIn } from '@platform/shared/testing/inbox';
import { deleteResendLocks } from '../../code-time.ts';
import { deleteAccount } from './deletions.ts';
import {
  checkAudit,
  checkOneWinner,
  createRace,
  type Member,
  type Race,
  type RaceFixture,
  range,
} from './fixture.ts';

type SignedIn = { member: Member; device: Device };

/** Two users with a code each for the same new address. */
const prepareChanges = async (fixture: RaceFixture, rounds: number) => {
  const changes = await Promise.all(
    range(rounds).map(async () => {
      const users: SignedIn[] = [];
      for (const member of [await fixture.signUp(), await fixture.signUp(EMPLOYEE)])
        users.push({ member, device: await fixture.signIn(member) });
      return { newEmail: uniqueEmail(), users, codes: [] as string[] };
    }),
  );
  // One after the other, so that each mail belongs to a known user.
  for (const index of [0, 1]) {
    await deleteResendLocks(fixture.stack.redisUrl);
    for (const { users, newEmail } of changes) {
      const { member, device } = users[index] as SignedIn;
      const body = { newEmail, currentPassword: member.password };
      const sent = await fixture.factors(member.kind).as(device, 'POST', '/email/change', body);
      if (sent.status !== 200) throw new Error(`No code for ${newEmail}: ${formatStatus(sent)}`);
    }
    for (const { newEmail, codes } of changes)
      codes.push(codeIn(await fixture.inbox.untilMail(newEmail, '', index + 1, 60)));
  }
  return changes;
};

/** Two users confirm a change to the same address. */
export const createEmailChangeRace = async (fixture: RaceFixture, rounds: number): Promise<Race> => {
  const changes = await prepareChanges(fixture, rounds);
  return {
    name: 'change to one e-mail by two users',
    concurrency: 2,
    run: async (check, round) => {
      const { newEmail, users, codes } = changes[round] ?? { newEmail: '', users: [], codes: [] };
      const responses = await Promise.all(
        users.map(({ member, device }, index) =>
          fixture.factors(member.kind).as(device, 'POST', '/email/change/check', { code: codes[index] }),
        ),
      );
      checkOneWinner(check, responses, 200, /^EMAIL_TAKEN$/);
      for (const [index, { member }] of users.entries()) {
        const isWinner = responses[index]?.status === 200;
        const [row] = await fixture.records.query<{ email: string; verified: boolean }>(
          'select email, is_email_verified as verified from users where id = $1',
          [member.userId],
        );
        const expected = isWinner ? newEmail : member.email;
        check(row?.email === expected && row.verified === isWinner, 'one has it', row?.email);
        await checkAudit(fixture, check, 'EMAIL_CHANGED', member.userId, Number(isWinner));
      }
      return responses;
    },
  };
};

const createTeamAdministrator = async (fixture: RaceFixture, teamId: string): Promise<SignedIn> => {
  const { id, email, password, employeeId } = await fixture.records.user(['EMPLOYEE']);
  await fixture.records.query(
    `insert into team_members (team_id, employee_id, role, status) values ($1, $2, 'ADMINISTRATOR', 'ACTIVE')`,
    [teamId, employeeId],
  );
  const member = { kind: EMPLOYEE, email, password, userId: id };
  return { member, device: await fixture.signIn(member) };
};

/** The two administrators of a team delete their accounts. */
export const createTeamDeletionRace = (fixture: RaceFixture): Race =>
  createRace(
    { name: 'deletion of both administrators of a team', concurrency: 2 },
    async () => {
      const teamId = await fixture.records.team({ status: 'ACTIVE' });
      const users = await Promise.all([0, 1].map(() => createTeamAdministrator(fixture, teamId)));
      return { teamId, users };
    },
    async ({ teamId, users }, check) => {
      const responses = await Promise.all(users.map((user) => deleteAccount(fixture, user)));
      checkOneWinner(check, responses, 204, /^LAST_TEAM_ADMINISTRATOR$/);
      const administrators = await fixture.records.query<{ email: string | null }>(
        `select u.email from team_members m join employee_profiles e on e.id = m.employee_id join users u on u.id = e.user_id
         where m.team_id = $1 and m.role = 'ADMINISTRATOR' and m.status = 'ACTIVE'`,
        [teamId],
      );
      const stays = users[responses.findIndex(({ status }) => status === 409)];
      check(
        administrators.length === 1 && administrators[0]?.email === stays?.member.email,
        'the team keeps an administrator',
        administrators.length,
      );
      if (stays) {
        const me = await fixture.auth(EMPLOYEE).me(stays.device);
        check(me.status === 200, 'the administrator who stays is signed in', formatStatus(me));
      }
      return responses;
    },
  );
