import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { isPlatformError, type PlatformClient } from '@platform/client';
import { deleteAccount } from '@platform/client/account';
import { createServiceClient, type PlatformEvent } from '@platform/client/service';
import { PASSWORD } from '@platform/shared/testing/builders';
import { waitFor } from '@platform/shared/testing/poll';
import { createRecords, type Records } from '@platform/shared/testing/records';
import { expect } from 'chai';
import {
  type Break,
  createBreakingProxy,
  keepAccess,
  onRoute,
  setHeaders,
} from '../deployed/breaking-proxy.ts';
import { createAccounts, findFailures } from '../deployed/run-checks.ts';
import { type ExampleService, PAGE, SECRET, startExampleService } from './example-service.ts';
import { createMarketUsers, resultOf, type User } from './market-users.ts';

const SHOP = { title: 'Online shop', description: 'Twelve products and a cart.', category: 'WEB' };
const MEMBER = { role: 'MEMBER', status: 'ACTIVE', canSign: false, canSubmit: true };

describe(`service of ${PAGE}`, () => {
  const journey: string[] = [];
  let example: ExampleService;
  let records: Records;
  let users: ReturnType<typeof createMarketUsers>;
  let administrator: PlatformClient<'administrator'>;
  let [ada, bob, grace, henry] = [] as unknown as [User, User, User, User];

  before('start the service, a stack that knows it, and the users', async () => {
    example = await startExampleService();
    records = createRecords(example.stack.databaseUrl);
    users = createMarketUsers(example.stack.gatewayUrl, records);
    administrator = await users.signInAdministrator();
    [ada, bob] = [await users.signIn('Ada', 'customer'), await users.signIn('Bob', 'customer')];
    [grace, henry] = [await users.signIn('Grace', 'employee'), await users.signIn('Henry', 'employee')];
  });
  after('stop both', async () => {
    // biome-ignore lint/suspicious/noConsole: the journey is what the page promises.
    console.log(journey.map((line) => `      ${line}`).join('\n'));
    users?.close();
    await records?.close();
    await example?.stop();
  });

  /** Adds a line to the journey. */
  const step = async <Result>(text: string, work: Promise<Result>): Promise<Result | string> => {
    const result = await resultOf(work);
    journey.push(typeof result === 'string' ? `${text} → ${result}` : text);
    return result;
  };
  const create = ({ market }: User, fields: object = {}) =>
    market.POST('/market/projects', { body: { id: randomUUID(), ...SHOP, ...fields } });
  const listTitles = async ({ market }: User): Promise<string[]> =>
    (await market.GET('/market/projects')).data.map(({ title }) => title);
  /** The service learns from an event which projects exist. */
  const waitUntilListed = (user: User, title: string, isListed = true) =>
    waitFor(
      `${user.name} sees ${isListed ? '' : 'no '}"${title}"`,
      async () => (await listTitles(user)).includes(title) === isListed,
    );
  const projectOf = (id: string) => administrator.GET('/projects/{id}', { params: { path: { id } } });
  const teamOf = (teamId: string) =>
    administrator.GET('/administrator/teams/{teamId}', { params: { path: { teamId } } });
  const send = ({ authorization }: User, method: string, path: string, body?: object, headers = {}) =>
    fetch(`${example.stack.gatewayUrl}/api/v1/market${path}`, {
      method,
      headers: { Authorization: authorization(), 'Content-Type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
  const readEvents = async (): Promise<PlatformEvent[]> => {
    const { authUrl, adminUrl } = example.stack;
    const events: PlatformEvent[] = [];
    const client = createServiceClient({ authUrl, adminUrl, name: 'projects', secret: SECRET });
    for await (const { data } of client.events(undefined, { limit: 1_000 })) {
      events.push(...data);
      if (data.length < 1_000) return events;
    }
    return events;
  };
  const listOwners = (name: 'projects.db' | 'reader.db') => {
    const database = new DatabaseSync(example.getDatabase(name), { readOnly: true, timeout: 2_000 });
    const rows = database
      .prepare('select id, owner from projects order by id')
      .all()
      .map((row) => ({ ...row }));
    database.close();
    return rows;
  };

  it('shares a project with the back office: created, edited by both, published, deleted, restored, without owner', async () => {
    const id = randomUUID();
    const params = { path: { id } };
    const project = { id, ...SHOP };
    const post = () => ada.market.POST('/market/projects', { body: project });
    const created = await post();
    expect(created).to.include({ id, status: 'DRAFT' });
    expect(await step('Ada creates a project, and repeats the request', post())).to.deep.equal(created);
    expect(await step('the ADMIN sees the draft', projectOf(id))).to.deep.include({
      ...project,
      status: 'DRAFT',
    });
    await waitUntilListed(ada, SHOP.title);
    expect(await listTitles(bob), 'of another customer').to.deep.equal([]);
    expect(await listTitles(grace), 'a draft').to.deep.equal([]);

    const title = 'Online shop for a bakery';
    await step(
      'the ADMIN edits the title',
      administrator.PATCH('/projects/{id}', { params, body: { title } }),
    );
    const description = 'Thirteen products and a cart.';
    const stale = await send(ada, 'PATCH', `/projects/${id}`, { description }, { 'If-Match': created.etag });
    journey.push(`Ada edits the version that she knows → ${stale.status}`);
    expect([stale.status, ((await stale.json()) as { code: string }).code]).to.deep.equal([
      412,
      'CHANGED_MEANWHILE',
    ]);
    const edit = ada.market.PATCH('/market/projects/{id}', { params, body: { description } });
    expect(await step('Ada edits the description', edit)).to.include({ title, description });
    const publication = (user: User) =>
      user.market.PATCH('/market/projects/{id}', { params, body: { status: 'PUBLISHED' } });
    expect(await step('Bob publishes it', publication(bob))).to.equal('404 PROJECT_NOT_FOUND');
    await step('Ada publishes it', publication(ada));
    expect(await step('the ADMIN sees both edits', projectOf(id))).to.include({
      title,
      description,
      status: 'PUBLISHED',
    });
    expect(await step('Grace sees it', listTitles(grace))).to.deep.equal([title]);

    await step('the ADMIN deletes it', administrator.DELETE('/projects/{id}', { params }));
    expect(await step('Ada does not see it', listTitles(ada))).to.deep.equal([]);
    expect(await step('Ada publishes it again', publication(ada))).to.equal('404 PROJECT_NOT_FOUND');
    await step('the ADMIN restores it', administrator.PATCH('/projects/{id}/restore', { params }));
    expect(await step('Ada sees it', listTitles(ada))).to.deep.equal([title]);

    await step('Ada deletes her account', deleteAccount(ada.tab, { currentPassword: PASSWORD }));
    const { owner } = await projectOf(id);
    expect(owner).to.deep.include({ id: ada.id, firstName: null, lastName: null });
    expect(await step('Grace sees it', listTitles(grace))).to.deep.equal([title]);
    await waitFor('the service forgets the owner', () =>
      listOwners('projects.db').some((row) => row['owner'] === null),
    );
    expect(listOwners('projects.db')).to.deep.equal([{ id, owner: null }]);

    const events = await readEvents();
    const lines = events
      .filter(({ subject }) => [id, ada.id].includes(subject))
      .map(({ type, data }) => `${type} ${JSON.stringify(data)}`);
    journey.push('events:', ...lines.map((line) => `  ${line}`));
    expect(lines).to.deep.equal([
      'user.created {"kind":"customer","isEmailVerified":false}',
      `project.created {"status":"DRAFT","ownerId":"${ada.id}","contractingStage":null}`,
      'project.edited {"fields":["title"]}',
      'project.edited {"fields":["description"]}',
      'project.status-changed {"status":"PUBLISHED","contractingStage":null}',
      'project.deleted {}',
      'project.restored {}',
      'user.deleted {}',
    ]);
  });

  it('lets employees found teams, which the back office verifies, and whose last administrator stays', async () => {
    const id = randomUUID();
    const params = { path: { id } };
    await step(
      'Grace founds a team',
      grace.market.POST('/market/teams', { body: { id, name: 'North Studio' } }),
    );
    expect(await step('the ADMIN sees it', teamOf(id))).to.include({
      name: 'North Studio',
      status: 'ONBOARDING',
    });
    const add = (user: User, { employeeId }: User) =>
      user.market.POST('/market/teams/{id}/members', { params, body: { employeeId, ...MEMBER } });
    expect(await step('Henry adds himself', add(henry, henry))).to.equal('403 NOT_TEAM_ADMINISTRATOR');
    await step('Grace adds Henry', add(grace, henry));
    await step(
      'the ADMIN verifies the team',
      administrator.POST('/administrator/teams/{teamId}/verify', { params: { path: { teamId: id } } }),
    );
    const leave = ({ market }: User) => market.DELETE('/market/teams/{id}/members/me', { params });
    expect(await step('Grace leaves', leave(grace))).to.equal('409 LAST_TEAM_ADMINISTRATOR');
    const deletion = deleteAccount(grace.tab, { currentPassword: PASSWORD });
    expect(await step('Grace deletes her account', deletion)).to.equal('409 LAST_TEAM_ADMINISTRATOR');
    for (const _ of [1, 2]) await step('Henry leaves', leave(henry));
    const { status, members } = await teamOf(id);
    expect(status).to.equal('ACTIVE');
    expect(members.map((each) => [each.employeeId, each.status])).to.deep.equal([
      [grace.employeeId, 'ACTIVE'],
      [henry.employeeId, 'REMOVED'],
    ]);
    const types = (await readEvents()).filter(({ subject }) => subject === id).map(({ type }) => type);
    expect(types).to.deep.equal([
      'team.created',
      'team.member-added',
      'team.verified',
      'team.member-removed',
    ]);
  });

  it('knows its caller: nobody without a token, on another device or after a block', async () => {
    const eve = await users.signIn('Eve', 'customer');
    await create(eve, { title: 'A shed' });
    await waitUntilListed(eve, 'A shed');
    const path = '/projects';
    expect((await send({ ...eve, authorization: () => '' }, 'GET', path)).status).to.equal(401);
    const stolen = await send(eve, 'GET', path, undefined, { 'X-Fingerprint': 'of another device' });
    expect(stolen.status).to.equal(401);
    expect(await resultOf(create(grace))).to.equal('403 KIND_NOT_ALLOWED');
    await administrator.PATCH('/users/{id}/block', { params: { path: { id: eve.id } } });
    expect((await send(eve, 'GET', path)).status, 'without the refresh of the client').to.equal(401);
    expect(await resultOf(create(eve, { title: 'A second shed' }))).to.equal('401 USER_BLOCKED');
  });

  it('tells what is wrong with a request, and rejects the id of another project', async () => {
    const id = randomUUID();
    await create(bob, { id, title: 'A pond' });
    expect(await resultOf(create(bob, { id, title: 'Another pond' }))).to.equal('409 PROJECT_EXISTS');
    const error = await create(bob, { title: 'x' }).catch((reason: unknown) => reason);
    expect(isPlatformError(error) && error.details.map(({ path }) => path)).to.deep.equal(['/body/title']);
    for (const path of [`/teams/${randomUUID()}/members`, '/teams/..%2Fprojects/members'])
      expect((await send(grace, 'POST', path, {})).status, path).to.be.within(400, 404);
  });

  it('forgets users who were deleted while it was killed, and does its work once', async () => {
    const fay = await users.signIn('Fay', 'customer');
    const { id } = await create(fay, { title: 'A door' });
    await waitUntilListed(fay, 'A door');
    await example.kill();
    await deleteAccount(fay.tab, { currentPassword: PASSWORD });
    await example.start();
    await waitFor('the service forgets the owner', () =>
      listOwners('projects.db').some((row) => row['id'] === id && row['owner'] === null),
    );
    expect(example.output()).to.equal('');
  });

  for (const name of ['auth', 'admin'] as const)
    it(`responds with 503 before the gateway's 504 while ${name}-service hangs`, async () => {
      await listTitles(bob);
      const pid = example.stack.pids[name];
      process.kill(pid, 'SIGSTOP');
      const response = await send(bob, 'GET', '/projects').finally(() => process.kill(pid, 'SIGCONT'));
      expect([response.status, response.headers.get('Retry-After')]).to.deep.equal([503, '1']);
      await waitFor(
        'the service is available',
        async () => (await send(bob, 'GET', '/projects')).status === 200,
      );
    });

  it('has a reader in Python that keeps the same projects and owners', async function () {
    if (spawnSync('python3', ['--version']).status !== 0) this.skip();
    const reader = example.startReader();
    const events = await readEvents();
    await waitFor('the reader has read everything', () => reader.lines().length >= events.length);
    expect(reader.lines()).to.deep.equal(events.map(({ type, subject }) => `${type} ${subject}`));
    expect(listOwners('reader.db')).to.deep.equal(listOwners('projects.db')).and.not.to.be.empty;
    const { id } = await create(bob, { title: 'A gate' });
    await waitFor('the reader waits for events', () => reader.lines().includes(`project.created ${id}`));
    reader.stop();
    journey.push(
      'reader in Python:',
      ...reader
        .lines()
        .slice(0, 5)
        .map((line) => `  ${line}`),
      '  …',
    );
  });

  it('passes check:deployed, which detects a service that is gone, remembers tokens or sets headers', async function () {
    this.timeout(300_000); // four runs of all its checks
    const [customer] = await createAccounts(records);
    const check = async (servicePath: string, ...breaks: Break[]): Promise<string[]> => {
      const proxy = await createBreakingProxy(example.stack.gatewayUrl, breaks);
      const options = { accounts: customer ? [customer] : [], servicePaths: [servicePath] };
      return findFailures(proxy.url, options).finally(proxy.close);
    };
    const path = '/api/v1/market/projects';
    expect(await check(path)).to.deep.equal([]);
    const failures = await check(
      path,
      setHeaders(/^GET \/api\/v1\/market\/projects$/, { 'content-security-policy': undefined }),
      onRoute(/(?:projects|sign-out)$/, keepAccess(/\/sign-out$/)),
    );
    expect(failures.join('\n'))
      .to.match(/Content-Security-Policy.*\[GET \/api\/v1\/market\/projects,/)
      .and.match(/^GET \/api\/v1\/market\/projects as customer .*200 instead of 401/m);
    expect((await check('/api/v1/unknown')).join()).to.match(
      /^GET \/api\/v1\/unknown: .*does not know the path/,
    );
    await example.stopService();
    expect((await check(path)).join()).to.match(
      /^GET \/api\/v1\/market\/projects: the service responds: it is 50[23]/,
    );
  });
});
