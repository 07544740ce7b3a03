import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { isPlatformError, type PlatformClient } from '@platform/client';
import { deleteAccount } from '@platform/client/account';
import { PASSWORD } from '@platform/shared/testing/builders';
import { waitFor } from '@platform/shared/testing/poll';
import { createRecords, type Records } from '@platform/shared/testing/records';
import { expect } from 'chai';
import { createAccounts, findFailures } from '../deployed/run-checks.ts';
import { type RunningExample, startExample } from './example-services.ts';
import { createMarketUsers, type ProjectPage, resultOf, sendAs, type User } from './market-users.ts';

const SHOP = { title: 'Online shop', description: 'Twelve products and a cart.', category: 'WEB' } as const;
const MEMBER = { role: 'MEMBER', canSign: false, canSubmit: true };
const KILLS = 20;

describe('examples/projects-service', () => {
  let example: RunningExample;
  let records: Records;
  let users: ReturnType<typeof createMarketUsers>;
  let administrator: PlatformClient<'administrator'>;
  let [ada, bob, grace, henry] = [] as unknown as [User, User, User, User];

  before('start the service, a platform that knows it, and the users', async () => {
    example = await startExample('projects');
    records = createRecords(example.stack.databaseUrl);
    users = createMarketUsers(example.stack.gatewayUrl, records);
    administrator = await users.signInAdministrator();
    [ada, bob] = [await users.signIn('Ada', 'customer'), await users.signIn('Bob', 'customer')];
    [grace, henry] = [await users.signIn('Grace', 'employee'), await users.signIn('Henry', 'employee')];
  });
  after('stop both', async () => {
    users?.close();
    await records?.close();
    await example?.stopAll();
  });

  const create = ({ market }: User, fields: object = {}) =>
    market.POST('/market/projects', { body: { id: randomUUID(), ...SHOP, ...fields } });
  const change = ({ market }: User, id: string, body: object) =>
    market.PATCH('/market/projects/{id}', { params: { path: { id } }, body });
  /** The titles of all pages; nobody's address is in them. */
  const listTitles = async ({ market }: User, limit = 100): Promise<string[]> => {
    const titles: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: ProjectPage = await market.GET('/market/projects', {
        params: { query: { limit, cursor } },
      });
      expect(JSON.stringify(page)).not.to.include('@');
      expect(page.data.length).to.be.at.most(limit);
      titles.push(...page.data.map(({ title }) => title));
      cursor = page.nextCursor;
    }
    return titles;
  };
  const projectOf = (id: string) => administrator.GET('/projects/{id}', { params: { path: { id } } });
  const teamOf = (teamId: string) =>
    administrator.GET('/administrator/teams/{teamId}', { params: { path: { teamId } } });
  const send = (user: User, method: string, path: string, body?: object, headers = {}) =>
    sendAs(user, `${example.stack.gatewayUrl}/api/v1/market${path}`, method, body, headers);

  it('shares projects with the back office, which edits, deletes and restores them', async () => {
    const id = randomUUID();
    const params = { path: { id } };
    const created = await create(ada, { id });
    expect(created).to.include({ id, status: 'DRAFT' });
    expect(await create(ada, { id }), 'a repeated request').to.deep.equal(created);
    expect(await projectOf(id)).to.deep.include({ id, ...SHOP, status: 'DRAFT' });
    await example.waitForCopy('projects');
    expect(await listTitles(ada)).to.deep.equal([SHOP.title]);
    expect(await listTitles(bob), 'of another customer').to.deep.equal([]);
    expect(await listTitles(grace), 'a draft').to.deep.equal([]);

    const title = 'Online shop for a bakery';
    await administrator.PATCH('/projects/{id}', { params, body: { title } });
    const stale = { 'If-Match': created.etag };
    const response = await send(
      ada,
      'PATCH',
      `/projects/${id}`,
      { description: 'Thirteen products.' },
      stale,
    );
    expect([response.status, await response.json()]).to.deep.include(412);
    expect(await change(ada, id, { description: 'Thirteen products.' })).to.include({ title });
    const publish = (user: User) => resultOf(change(user, id, { status: 'PUBLISHED' }));
    expect(await publish(bob)).to.equal('404 PROJECT_NOT_FOUND');
    expect(await publish(ada)).to.include({ status: 'PUBLISHED' });
    await example.waitForCopy('projects');
    expect(await listTitles(grace)).to.deep.equal([title]);

    await administrator.DELETE('/projects/{id}', { params });
    await example.waitForCopy('projects');
    expect([await listTitles(ada), await listTitles(grace)]).to.deep.equal([[], []]);
    expect(await publish(ada)).to.equal('404 PROJECT_NOT_FOUND');
    await administrator.PATCH('/projects/{id}/restore', { params });
    await example.waitForCopy('projects');
    expect(await listTitles(ada)).to.deep.equal([title]);
  });

  it('lets owners move a project only to a status that may follow', async () => {
    const { id } = await create(bob);
    expect(await resultOf(change(bob, id, { status: 'COMPLETED' }))).to.equal('409 STATUS_NOT_ALLOWED');
    const created = await create(bob, { status: 'COMPLETED' });
    expect(created.status, 'of a new project').to.equal('DRAFT');
    for (const status of ['PUBLISHED', 'PUBLISHED', 'TEAM_SELECTION', 'CANCELLED'])
      expect(await change(bob, id, { status })).to.include({ status });
    expect(await resultOf(change(bob, id, { status: 'DRAFT' }))).to.equal('409 STATUS_NOT_ALLOWED');
  });

  it('lets employees found teams and invite members, whose last administrator stays', async () => {
    const id = randomUUID();
    const params = { path: { id } };
    await grace.market.POST('/market/teams', { body: { id, name: 'North Studio' } });
    const invite = (by: User, { employeeId }: User) =>
      by.market.POST('/market/teams/{id}/members', { params, body: { employeeId, ...MEMBER } });
    expect(await resultOf(invite(henry, henry))).to.equal('403 NOT_TEAM_ADMINISTRATOR');
    const accept = () => henry.market.POST('/market/teams/{id}/members/me', { params });
    expect(await resultOf(accept())).to.equal('404 MEMBER_NOT_FOUND');
    expect(await invite(grace, henry)).to.include({ status: 'INVITED' });
    expect(await accept()).to.include({ status: 'ACTIVE', canSubmit: true });
    expect(await invite(grace, henry), 'a member').to.include({ status: 'ACTIVE' });
    await administrator.POST('/administrator/teams/{teamId}/verify', { params: { path: { teamId: id } } });
    const teams = await henry.market.GET('/market/teams', {});
    expect(teams.data.map(({ name }) => name)).to.deep.equal(['North Studio']);
    expect(JSON.stringify(teams)).not.to.include('@');

    const leave = ({ market }: User) => market.DELETE('/market/teams/{id}/members/me', { params });
    expect(await resultOf(leave(grace))).to.equal('409 LAST_TEAM_ADMINISTRATOR');
    const deletion = deleteAccount(grace.tab, { currentPassword: PASSWORD });
    expect(await resultOf(deletion)).to.equal('409 LAST_TEAM_ADMINISTRATOR');
    for (const _ of ['once', 'again']) await leave(henry);
    expect((await henry.market.GET('/market/teams', {})).data).to.deep.equal([]);
    const { status, members } = await teamOf(id);
    expect([status, ...members.map((member) => member.status)]).to.deep.equal([
      'ACTIVE',
      'ACTIVE',
      'REMOVED',
    ]);
  });

  it('knows its caller: nobody without a token, on another device or after a block', async () => {
    const eve = await users.signIn('Eve', 'customer');
    await create(eve, { title: 'A shed' });
    expect((await send({ ...eve, authorization: () => '' }, 'GET', '/projects')).status).to.equal(401);
    const stolen = await send(eve, 'GET', '/projects', undefined, { 'X-Fingerprint': 'of another device' });
    expect(stolen.status).to.equal(401);
    const forged = { Authorization: '', 'X-User-Id': ada.id, 'X-Authenticated-User': ada.id };
    expect((await send(eve, 'GET', '/projects', undefined, forged)).status, 'headers of a client').to.equal(
      401,
    );
    expect(await resultOf(create(grace))).to.equal('403 KIND_NOT_ALLOWED');
    await administrator.PATCH('/users/{id}/block', { params: { path: { id: eve.id } } });
    expect((await send(eve, 'GET', '/projects')).status, 'without the refresh of the client').to.equal(401);
    expect(await resultOf(create(eve, { title: 'A second shed' }))).to.equal('401 USER_BLOCKED');
  });

  it('names what is wrong with a request, and rejects the id of another project', async () => {
    const id = randomUUID();
    await create(bob, { id, title: 'A pond' });
    expect(await resultOf(create(bob, { id, title: 'Another pond' }))).to.equal('409 PROJECT_EXISTS');
    const error = await create(bob, { title: 'x' }).catch((reason: unknown) => reason);
    expect(isPlatformError(error) && error.details.map(({ path }) => path)).to.deep.equal(['/body/title']);
    for (const path of [`/teams/${randomUUID()}/members`, '/teams/..%2Fprojects/members'])
      expect((await send(grace, 'POST', path, {})).status, path).to.be.within(400, 404);
  });

  /** Repeats a request until it is acknowledged: the service may be killed in the middle of it. */
  const acknowledge = async (user: User, method: string, path: string, body: object): Promise<void> => {
    await waitFor('the service responds', async () => {
      const { status } = await send(user, method, path, body);
      expect(status).to.be.oneOf([200, 412, 429, 502, 503, 504]);
      return status === 200;
    });
  };

  it(`loses nothing when it is killed ${KILLS} times, and events in between`, async () => {
    const acknowledged: string[] = [];
    let isDone = false;
    const write = async (user: User): Promise<void> => {
      while (!isDone) {
        const id = randomUUID();
        await acknowledge(user, 'POST', '/projects', { id, ...SHOP, title: id });
        await acknowledge(user, 'PATCH', `/projects/${id}`, { status: 'PUBLISHED' });
        acknowledged.push(id);
        const params = { path: { id } };
        await administrator.PATCH('/projects/{id}', { params, body: { description: 'Edited by an ADMIN.' } });
        if (acknowledged.length % 4 === 0) await administrator.DELETE('/projects/{id}', { params });
        await delay(300);
      }
    };
    const writing = Promise.all([write(ada), write(bob)]);
    for (let kill = 1; kill <= KILLS; kill += 1) {
      await delay(Math.random() * 500);
      await example.kill();
      if (kill === KILLS / 2) {
        // After a restore, events are missing, and the copy has projects that the platform has not.
        await example.platform.putProject(randomUUID(), { ...SHOP, ownerId: bob.id });
        await example.readEvents();
        await example.expireEvents();
        example.query(`insert into projects values ('${randomUUID()}', '${ada.id}', 'DRAFT', null, '{}')`);
      }
      await example.start();
    }
    await Promise.race([writing, waitFor('some projects', () => acknowledged.length >= 8)]);
    isDone = true;
    await writing;
    await example.waitForCopy('projects');
    const found = await example.platform.findProjects(acknowledged);
    expect(found.map(({ id, title, status, description }) => [id, title, status, description])).to.deep.equal(
      acknowledged.map((id) => [id, id, 'PUBLISHED', 'Edited by an ADMIN.']),
    );
    const living = found.filter(({ deletedAt }) => deletedAt === null).map(({ title }) => title);
    const listed = await listTitles(grace, 3);
    expect(new Set(listed).size, 'each once').to.equal(listed.length);
    expect(listed).to.include.members(living);
  });

  for (const name of ['auth', 'admin'] as const)
    it(`responds with 503 before the gateway's 504 while ${name}-service hangs`, async () => {
      const { id } = await create(bob, { title: 'A gate' });
      const edit = () => send(bob, 'PATCH', `/projects/${id}`, { title: 'A gate of wood' });
      const pid = example.stack.pids[name];
      process.kill(pid, 'SIGSTOP');
      const response = await edit().finally(() => process.kill(pid, 'SIGCONT'));
      expect([response.status, response.headers.get('Retry-After')]).to.deep.equal([503, '1']);
      await waitFor('the service is available', async () => (await edit()).status === 200);
    });

  it('costs a caller a 504 while it hangs itself, and is available right after', async () => {
    example.pause();
    const response = await send(bob, 'GET', '/projects').finally(example.resume);
    expect([response.status, response.headers.get('Retry-After')]).to.deep.equal([504, null]);
    expect((await send(bob, 'GET', '/projects')).status).to.equal(200);
  });

  it('passes check:deployed', async () => {
    const [customer] = await createAccounts(records);
    const options = { accounts: customer ? [customer] : [], servicePaths: ['/api/v1/market/projects'] };
    expect(await findFailures(example.stack.gatewayUrl, options)).to.deep.equal([]);
  });
});
