import { randomUUID } from 'node:crypto';
import { ADMINISTRATOR, EMPLOYEE } from '@platform/shared/testing/auth-client';
import { formatStatus, type HttpResponse } from '@platform/shared/testing/http-client';
import { createServiceClient } from '@platform/shared/testing/service-client';
import { deleteAccount } from './deletions.ts';
import { type Check, checkAudit, createRace, type Race, type RaceFixture } from './fixture.ts';

const TEXTS = { title: 'Online shop', description: 'Twelve products.', category: 'WEB' };
const LEADING = { role: 'ADMINISTRATOR', status: 'ACTIVE', canSign: true, canSubmit: true };
const MEMBER = { role: 'MEMBER', status: 'ACTIVE', canSign: false, canSubmit: false };

const count = (responses: readonly HttpResponse[], status: number): number =>
  responses.filter((response) => response.status === status).length;
const toText = (responses: readonly HttpResponse[]): string => responses.map(formatStatus).join(', ');

/** Requests with the same id: one creates the project, and the others find it or are rejected. */
const createPutRace =
  (titles: readonly string[]) =>
  async (fixture: RaceFixture): Promise<Race> => {
    const service = createServiceClient(fixture.stack.adminUrl);
    const { id: ownerId } = await fixture.records.user(['CUSTOMER']);
    const isEqual = new Set(titles).size === 1;
    return createRace(
      async () => randomUUID(),
      async (id, check) => {
        const body = { ownerId, ...TEXTS };
        const responses = await Promise.all(
          titles.map((title) => service.putProject({ id, body: { ...body, title } })),
        );
        check(count(responses, 201) === 1, 'one request creates the project', toText(responses));
        const others = count(responses, isEqual ? 200 : 409);
        check(others === titles.length - 1, 'the others get the same result', toText(responses));
        await checkAudit(fixture, check, 'PROJECT_CREATED', id);
        const events = await fixture.records.eventsOf(id);
        check(events.length === 1, 'there is one event', events.length);
        return responses;
      },
    );
  };

/** A service publishes a project while an ADMIN edits, deletes or restores it. */
const createChangeRace = async (fixture: RaceFixture): Promise<Race> => {
  const service = createServiceClient(fixture.stack.adminUrl);
  const administrator = await fixture.records.user(['ADMIN']);
  const { accessToken } = await fixture.client(ADMINISTRATOR).openDevice(administrator);
  const headers = { Authorization: `Bearer ${accessToken}` };
  const send = (method: string, id: string, body?: object) =>
    fixture.send({ method, path: `/api/v1/projects/${id}`, headers, ...(body && { body }) });
  const edit = (id: string) => send('PATCH', id, { title: 'Bakery' });
  const remove = (id: string) => send('DELETE', id);
  const restore = (id: string) => send('PATCH', `${id}/restore`);
  const actions = [edit, remove, restore];
  return createRace(
    () => fixture.records.project({ title: 'Online shop' }),
    async (id, check, round) => {
      const action = actions[round % actions.length] ?? edit;
      if (action === restore) await remove(id);
      const [changed, acted] = await Promise.all([
        service.changeProject({ id, body: { status: 'PUBLISHED' } }),
        action(id),
      ]);
      check(acted.status === (action === remove ? 204 : 200), 'the ADMIN succeeds', formatStatus(acted));
      const mayMiss = action !== edit && changed.code === 'PROJECT_NOT_FOUND';
      check(changed.status === 200 || mayMiss, 'the change is before or after', formatStatus(changed));
      const { body } = await service.getProjectById({ id });
      const status = changed.status === 200 ? 'PUBLISHED' : 'DRAFT';
      check(body.status === status, `the status is ${status}`, body.status);
      if (action === edit) check(body.title === 'Bakery', 'both changes stand', body.title);
      check((body.deletedAt !== null) === (action === remove), 'the deletion stands', body.deletedAt);
      return [changed, acted];
    },
  );
};

const checkAdministrators = async (fixture: RaceFixture, check: Check, teamId: string, expected: number) => {
  const rows = await fixture.records.query(
    "select 1 from team_members where team_id = $1 and role = 'ADMINISTRATOR' and status = 'ACTIVE'",
    [teamId],
  );
  check(rows.length === expected, `the team has ${expected} active administrator(s)`, rows.length);
};

const signUpEmployee = async (fixture: RaceFixture) => {
  const member = await fixture.signUp(EMPLOYEE);
  const device = await fixture.signIn(member);
  const [profile] = await fixture.records.query<{ id: string }>(
    'select id from employee_profiles where user_id = $1',
    [member.userId],
  );
  return { member, device, employeeId: profile?.id ?? '' };
};

/** Both administrators leave at once; in every other round the second deletes the account instead. */
const createLeaveRace = (fixture: RaceFixture): Race => {
  const service = createServiceClient(fixture.stack.adminUrl);
  return createRace(
    async () => {
      const id = await fixture.records.team();
      const first = await fixture.records.member(id, { role: 'ADMINISTRATOR' });
      const second = await signUpEmployee(fixture);
      await fixture.records.member(id, { employeeId: second.employeeId, role: 'ADMINISTRATOR' });
      return { id, first, second };
    },
    async ({ id, first, second }, check, round) => {
      const leave = (employeeId: string) => service.removeTeamMember({ id, employeeId });
      const responses = await Promise.all([
        leave(first),
        round % 2 ? leave(second.employeeId) : deleteAccount(fixture, second),
      ]);
      const isOne = count(responses, 204) === 1 && responses.some(isLastAdministrator);
      check(isOne, 'one leaves, and the other is rejected', toText(responses));
      await checkAdministrators(fixture, check, id, 1);
      const events = await fixture.records.eventsOf(id);
      check(events.length === 1, 'one removal has an event', JSON.stringify(events));
      return responses;
    },
  );
};

const isLastAdministrator = ({ status, code }: HttpResponse): boolean =>
  status === 409 && code === 'LAST_TEAM_ADMINISTRATOR';

/** A service adds an employee to a team while the employee deletes the account. */
const createMemberRace = (fixture: RaceFixture): Race => {
  const service = createServiceClient(fixture.stack.adminUrl);
  return createRace(
    async () => ({ id: await fixture.records.team(), employee: await signUpEmployee(fixture) }),
    async ({ id, employee }, check, round) => {
      const { employeeId } = employee;
      // Two administrators, so that the deletion is not rejected.
      await fixture.records.member(id, { role: 'ADMINISTRATOR' });
      const [put, deleted] = await Promise.all([
        service.putTeamMember({ id, employeeId, body: round % 2 ? LEADING : MEMBER }),
        deleteAccount(fixture, employee),
      ]);
      check(deleted.status === 204, 'the deletion succeeds', formatStatus(deleted));
      const isAdded = put.status === 200;
      check(isAdded || put.code === 'EMPLOYEE_NOT_FOUND', 'it is before or after', formatStatus(put));
      const types = (await fixture.records.eventsOf(id)).map(({ type }) => type).join();
      const expected = isAdded ? 'team.member-added,team.member-removed' : '';
      check(types === expected, 'the events are in order', types);
      await checkAdministrators(fixture, check, id, 1);
      return [put, deleted];
    },
  );
};

export const SERVICE_RACES: Record<string, (fixture: RaceFixture) => Race | Promise<Race>> = {
  'twenty equal creations of a project': createPutRace(Array(20).fill('Online shop')),
  'two creations of projects with one id': createPutRace(['Online shop', 'Bakery']),
  'change by a service against edit, deletion and restoration': createChangeRace,
  'both administrators leave a team': createLeaveRace,
  'new member against the deletion of the account': createMemberRace,
};
