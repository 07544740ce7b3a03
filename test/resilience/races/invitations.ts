import { setTimeout as delay } from 'node:timers/promises';
import { ADMINISTRATOR, bearer, CUSTOMER } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail } from '@platform/shared/testing/builders';
import type { Device } from '@platform/shared/testing/device';
import { formatStatus, type HttpResponse } from '@platform/shared/testing/http-client';
import { codeIn } from '@platform/shared/testing/inbox';
import { type Check, checkAudit, createRace, type Race, type RaceFixture } from './fixture.ts';

const MAX_DELAY_MILLISECONDS = 12;
const INVITED_PASSWORD = 'Invited horse 7';
const CODE = /^([a-z2-7]{4}(?:-[a-z2-7]{4}){7}) /;

type Inviter = { id: string; device: Device };
type Invited = { id: string; email: string; code: string; inviter: Inviter };

const openAdministrator = async (fixture: RaceFixture): Promise<Inviter> => {
  const { id: userId, email, password } = await fixture.records.user(['ADMIN']);
  return { id: userId, device: await fixture.signIn({ kind: ADMINISTRATOR, email, password, userId }) };
};

/** Each ADMIN may send only twenty invitations an hour, so each invitation has another one. */
const invite = async (fixture: RaceFixture, email = uniqueEmail()): Promise<Invited> => {
  const inviter = await openAdministrator(fixture);
  const sent = await fixture.send({
    method: 'POST',
    path: '/api/v1/administrator/invitations',
    headers: bearer(inviter.device),
    body: { email, role: 'OPERATOR' },
  });
  const { text } = await fixture.inbox.untilMail(email, 'You are invited');
  const code = CODE.exec(text)?.[1];
  if (code === undefined) throw new Error(`There is no code in the mail:\n${text}`);
  return { id: sent.body.id, email, code, inviter };
};

const accept = (fixture: RaceFixture, { code }: Invited): Promise<HttpResponse> =>
  fixture.send({
    method: 'POST',
    path: '/api/v1/auth/admin/invitations/accept',
    body: { code, password: INVITED_PASSWORD },
  });

const later = <Result>(round: number, work: () => Promise<Result>): Promise<Result> =>
  delay(round % MAX_DELAY_MILLISECONDS).then(work);

/** Whether the acceptance was before the other request or found no invitation, and changed all or nothing. */
const checkAcceptance = async (
  fixture: RaceFixture,
  check: Check,
  { id, email }: Invited,
  accepted: HttpResponse,
): Promise<void> => {
  const isAccepted = accepted.status === 201;
  const result = formatStatus(accepted);
  check(isAccepted || result === '400 CODE_INVALID', 'the acceptance is before or after', result);
  const [found] = await fixture.records.query<{ state: string }>(
    `select concat_ws(' ', (select count(*) from invitations where id = $1),
       (select count(*) from users u join user_roles r on r.user_id = u.id
        where u.email = $2 and u.is_email_verified and r.role = 'OPERATOR')) as state`,
    [id, email],
  );
  check(found?.state === (isAccepted ? '0 1' : '0 0'), 'there is a role or no invitation', found?.state);
  await checkAudit(fixture, check, 'INVITATION_ACCEPTED', id, isAccepted ? 1 : 0);
};

const toPair = (...responses: HttpResponse[]): string => responses.map(formatStatus).join(' and ');

export const createTwoAcceptancesRace = (fixture: RaceFixture): Race =>
  createRace(
    () => invite(fixture),
    async (invited, check) => {
      const responses = await Promise.all([accept(fixture, invited), accept(fixture, invited)]);
      const result = responses.map(formatStatus).sort().join(' and ');
      check(result === '201 and 400 CODE_INVALID', 'one acceptance wins', result);
      const winner = responses.find(({ status }) => status === 201);
      if (winner) await checkAcceptance(fixture, check, invited, winner);
      return [result];
    },
  );

type End = (fixture: RaceFixture, invited: Invited) => Promise<() => Promise<HttpResponse>>;

const byOther = async (fixture: RaceFixture, method: string, path: string) => {
  const { device } = await openAdministrator(fixture);
  return () => fixture.send({ method, path: `/api/v1/${path}`, headers: bearer(device) });
};

/** The requests that end an invitation, prepared for each round. */
export const INVITATION_ENDINGS: Record<string, End> = {
  withdrawal: (fixture, { id }) => byOther(fixture, 'DELETE', `administrator/invitations/${id}`),
  'demotion of the inviter': (fixture, { inviter }) =>
    byOther(fixture, 'DELETE', `users/${inviter.id}/platform-role`),
  'block of the inviter': async (fixture, { inviter }) => {
    // An ADMIN cannot be blocked, so the role is gone, but not by an operation, which would end the invitation.
    await fixture.records.query('delete from user_roles where user_id = $1', [inviter.id]);
    return await byOther(fixture, 'PATCH', `users/${inviter.id}/block`);
  },
};

export const createInvitationEndingRace =
  (prepareEnd: End) =>
  (fixture: RaceFixture): Race =>
    createRace(
      async () => {
        const invited = await invite(fixture);
        return { invited, end: await prepareEnd(fixture, invited) };
      },
      async ({ invited, end }, check, round) => {
        const [accepted, ended] = await Promise.all([accept(fixture, invited), later(round, end)]);
        const isEnded = ended.status < 300 || (accepted.status === 201 && ended.status === 404);
        check(isEnded, 'the other request succeeds, or finds no invitation', formatStatus(ended));
        await checkAcceptance(fixture, check, invited, accepted);
        return [toPair(accepted, ended)];
      },
    );

const checkOwner = async (fixture: RaceFixture, check: Check, { email }: Invited): Promise<void> => {
  const administrators = fixture.client(ADMINISTRATOR);
  const signIn = (password: string) =>
    administrators.signIn({ fingerprint: 'invited', body: { email, password } });
  const [own, strangers] = [await signIn(INVITED_PASSWORD), await signIn(PASSWORD)];
  check(own.status === 200, 'the invited person signs in', formatStatus(own));
  check(strangers.status === 401, 'the stranger does not', formatStatus(strangers));
};

/** A stranger signs up with the invited address. */
export const createAcceptanceSignUpRace = (fixture: RaceFixture): Race =>
  createRace(
    () => invite(fixture),
    async (invited, check, round) => {
      const body = { email: invited.email, password: PASSWORD };
      const [accepted, signedUp] = await Promise.all([
        accept(fixture, invited),
        later(round * 3, () => fixture.client(CUSTOMER).signUp({ body })),
      ]);
      const result = toPair(accepted, signedUp);
      const isOrdered = ['201 and 201', '201 and 409 EMAIL_TAKEN'].includes(result);
      check(isOrdered, 'the stranger cannot stop the invitation', result);
      await checkAcceptance(fixture, check, invited, accepted);
      await checkOwner(fixture, check, invited);
      return [result];
    },
  );

/** The owner of an unverified account with the invited address verifies it. */
export const createAcceptanceVerificationRace = (fixture: RaceFixture): Race =>
  createRace(
    async () => {
      const member = await fixture.signUp(CUSTOMER);
      const device = await fixture.signIn(member);
      await fixture.client(CUSTOMER).verificationEmailCode(device);
      const code = codeIn(await fixture.inbox.untilMail(member.email, 'is your code'));
      return { device, code, invited: await invite(fixture, member.email) };
    },
    async ({ device, code, invited }, check, round) => {
      const customers = fixture.client(CUSTOMER);
      const [accepted, verified] = await Promise.all([
        accept(fixture, invited),
        later(round * 3, () => customers.verificationEmailCodeCheck({ ...device, body: { code } })),
      ]);
      const isAccepted = accepted.status === 201;
      const me = await customers.me(device);
      check(me.status === (isAccepted ? 401 : 200), 'only one of both owns the account', formatStatus(me));
      if (isAccepted) {
        await checkAcceptance(fixture, check, invited, accepted);
        await checkOwner(fixture, check, invited);
      } else {
        check(verified.status === 200, 'the verification was first', formatStatus(verified));
        await checkAudit(fixture, check, 'INVITATION_REJECTED', invited.id);
      }
      return [toPair(accepted, verified)];
    },
  );
