import { setTimeout as delay } from 'node:timers/promises';
import { ADMINISTRATOR, bearer } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail } from '@platform/shared/testing/builders';
import type { Device } from '@platform/shared/testing/device';
import { formatStatus, type HttpResponse } from '@platform/shared/testing/http-client';
import { codeIn } from '@platform/shared/testing/inbox';
import { runScript } from '@platform/shared/testing/process';
import { countDeadlocks } from '@platform/shared/testing/query-database';
import { createRace, type Member, type Race, type RaceFixture } from './fixture.ts';

const MAX_DELAY_MILLISECONDS = 60;
const SLOW_MILLISECONDS = 600;
const NEW_PASSWORD = 'A better horse 2';
const WRITES_OF_EACH_KIND = 3;

type Administrator = { member: Member; device: Device };
/** Resolves with the statuses of the requests that take the power, when the last one is answered. */
type Loss = () => Promise<string[]>;
type Prepare = (fixture: RaceFixture, losing: Administrator, other: Administrator) => Promise<Loss>;

const openAdministrator = async (fixture: RaceFixture): Promise<Administrator> => {
  const { id: userId, email, password } = await fixture.records.user(['ADMIN'], { isEmailVerified: true });
  const member = { kind: ADMINISTRATOR, email, password, userId };
  return { member, device: await fixture.signIn(member) };
};

const sendAs = (
  fixture: RaceFixture,
  { device }: Administrator,
  method: string,
  tail: string,
  body?: object,
): Promise<HttpResponse> =>
  fixture.send({ method, path: `/api/v1/${tail}`, headers: bearer(device), ...(body && { body }) });

/** A busy machine may respond with 503, which changes nothing, so it is sent again, as a person would. */
const untilServed = async (request: () => Promise<HttpResponse>): Promise<string[]> => {
  let response = await request();
  while (response.status === 503) response = await request();
  return [formatStatus(response)];
};

const byOther =
  (method: string, toTail: (losing: Administrator) => string): Prepare =>
  async (fixture, losing, other) =>
  () =>
    untilServed(() => sendAs(fixture, other, method, toTail(losing)));

const removeRole = byOther('DELETE', ({ member }) => `users/${member.userId}/platform-role`);
const block = byOther('PATCH', ({ member }) => `users/${member.userId}/block`);

/** The ways in which an ADMIN loses the power. */
export const LOSSES: Record<string, Prepare> = {
  'removal of the role': removeRole,
  'removal of the role by command':
    async ({ stack }, { member }) =>
    async () => {
      const environment = { DATABASE_URL: stack.databaseUrl };
      const { code } = await runScript('admin-service/src/run-role-remove.ts', [member.email], environment);
      return [code === 0 ? '204' : `exit code ${code}`];
    },
  'removal of the role and a block': async (...args) => {
    const losses = [await removeRole(...args), await block(...args)];
    return async () => [...((await losses[0]?.()) ?? []), ...((await losses[1]?.()) ?? [])];
  },
  'end of all sessions': byOther('DELETE', ({ member }) => `users/${member.userId}/sessions`),
  'end of one session': byOther(
    'DELETE',
    ({ member, device }) => `users/${member.userId}/sessions/${device.sessionId}`,
  ),
  'sign-out':
    async (fixture, { device }) =>
    () =>
      untilServed(() => fixture.client(ADMINISTRATOR).signOut(device)),
  'reset by code': async (fixture, { member: { email } }) => {
    const client = fixture.client(ADMINISTRATOR);
    await client.resetPasswordEmailCodeSend({ body: { email } });
    const body = { email, code: codeIn(await fixture.inbox.untilMail(email, '')), newPassword: NEW_PASSWORD };
    return () => untilServed(() => client.resetPasswordEmailCode({ body }));
  },
};

/** Prepares one request of each kind. */
const prepareWrites = async (fixture: RaceFixture, losing: Administrator) => {
  const { records } = fixture;
  const [assigned, blocked] = [
    await records.user(['CUSTOMER'], { isEmailVerified: true }),
    await records.user(['CUSTOMER']),
  ];
  const project = await records.project();
  const send = (method: string, tail: string, body?: object) => () =>
    sendAs(fixture, losing, method, tail, body);
  return [
    send('POST', 'auth/admin/register', { email: uniqueEmail(), password: PASSWORD }),
    send('POST', `users/${assigned.id}/platform-role`, { role: 'ADMIN' }),
    send('PATCH', `users/${blocked.id}/block`),
    send('PATCH', `projects/${project}`, { title: 'Changed' }),
  ];
};

const countChanges = async ({ records }: RaceFixture, { member }: Administrator): Promise<number> => {
  const actions = ['ADMINISTRATOR_REGISTERED', 'ROLE_ASSIGNED', 'USER_BLOCKED', 'PROJECT_EDITED'];
  const text = 'select 1 from audit_records where actor_id = $1 and action = any($2)';
  return (await records.query(text, [member.userId, actions])).length;
};

const isExpected = ({ status, code }: HttpResponse): boolean =>
  status < 300 ||
  status === 503 ||
  ['TOKEN_INVALID', 'USER_BLOCKED', 'WORKSPACE_FORBIDDEN'].includes(String(code));

/**
 * Starts the changes shortly before the loss. A command takes long to start, so it starts first, and the
 * changes start when the previous command had almost ended.
 */
const createOverlap = () => {
  let lossMilliseconds = 0;
  return async <Written>(lose: Loss, start: () => Written, round: number) => {
    const isSlow = lossMilliseconds > SLOW_MILLISECONDS;
    const lead = isSlow ? lossMilliseconds - ((round * 37) % SLOW_MILLISECONDS) : 0;
    const startedAt = Date.now();
    const early = isSlow ? lose() : undefined;
    await delay(lead);
    const written = start();
    await delay((round * 7) % MAX_DELAY_MILLISECONDS);
    const statuses = await (early ?? lose());
    lossMilliseconds = Date.now() - startedAt;
    return { statuses, written };
  };
};

/**
 * Several changes of four kinds by an ADMIN are under way when the ADMIN loses the power to make them. Nothing
 * is committed after the response to the loss.
 */
export const createLostPowerRace =
  (prepare: Prepare) =>
  async (fixture: RaceFixture): Promise<Race> => {
    const other = await openAdministrator(fixture);
    const overlap = createOverlap();
    const deadlocksBefore = await countDeadlocks(fixture.stack.databaseUrl);
    return createRace(
      async () => {
        const losing = await openAdministrator(fixture);
        const kinds = Array.from({ length: WRITES_OF_EACH_KIND }, () => prepareWrites(fixture, losing));
        return {
          losing,
          writes: (await Promise.all(kinds)).flat(),
          lose: await prepare(fixture, losing, other),
        };
      },
      async ({ losing, writes, lose }, check, round) => {
        const start = () => writes.map((write) => write());
        const { statuses, written } = await overlap(lose, start, round);
        const before = await countChanges(fixture, losing);
        const responses = await Promise.all(written);
        const after = await countChanges(fixture, losing);
        check(
          statuses.every((status) => /^20[04]$/.test(status)),
          'the power is lost',
          statuses,
        );
        check(after === before, 'nothing is committed after the response', `${before} and then ${after}`);
        const succeeded = responses.filter(({ status }) => status < 300).length;
        check(succeeded === after, 'each success is committed', `${succeeded} and ${after}`);
        const unexpected = responses.filter((response) => !isExpected(response)).map(formatStatus);
        check(unexpected.length === 0, 'every other change is rejected', unexpected);
        const deadlocks = (await countDeadlocks(fixture.stack.databaseUrl)) - deadlocksBefore;
        check(deadlocks === 0, 'there is no deadlock', deadlocks);
        return [...statuses.map((status) => `loss ${status}`), ...responses];
      },
    );
  };
