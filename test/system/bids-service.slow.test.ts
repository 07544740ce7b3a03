import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { PlatformClient } from '@platform/client';
import { deleteAccount } from '@platform/client/account';
import { PASSWORD } from '@platform/shared/testing/builders';
import { waitFor } from '@platform/shared/testing/poll';
import { createRecords, type Records } from '@platform/shared/testing/records';
import { expect } from 'chai';
import { type RunningExample, startExample } from './example-services.ts';
import { type Bid, createMarketUsers, resultOf, sendAs, type User } from './market-users.ts';

const SHOP = { title: 'Online shop', description: 'Twelve products.', category: 'WEB' } as const;
const MEMBER = { role: 'MEMBER', status: 'ACTIVE', canSign: false, canSubmit: true } as const;
const KILLS = 20;

describe('examples/bids-service', () => {
  let example: RunningExample;
  let records: Records;
  let users: ReturnType<typeof createMarketUsers>;
  let administrator: PlatformClient<'administrator'>;
  let [ada, bob, grace, henry] = [] as unknown as [User, User, User, User];
  let teamId: string;

  before('start the service, a platform that knows it, and the users', async function () {
    if (spawnSync('python3', ['--version']).status !== 0) {
      // biome-ignore lint/suspicious/noConsole: says why the suite is skipped.
      console.log('      python3 is not installed: examples/bids-service is not tested');
      this.skip();
    }
    example = await startExample('bids');
    records = createRecords(example.stack.databaseUrl);
    users = createMarketUsers(example.stack.gatewayUrl, records);
    administrator = await users.signInAdministrator();
    [ada, bob] = [await users.signIn('Ada', 'customer'), await users.signIn('Bob', 'customer')];
    [grace, henry] = [await users.signIn('Grace', 'employee'), await users.signIn('Henry', 'employee')];
    teamId = await createTeam('North Studio');
  });
  after('stop both', async () => {
    users?.close();
    await records?.close();
    await example?.stopAll();
  });

  /** A verified team of Grace and Henry. */
  const createTeam = async (name: string): Promise<string> => {
    const id = randomUUID();
    await example.platform.putTeam(id, { name, administratorId: grace.employeeId });
    await example.platform.putTeamMember(id, henry.employeeId, MEMBER);
    await administrator.POST('/administrator/teams/{teamId}/verify', { params: { path: { teamId: id } } });
    return id;
  };
  const createProject = async (owner: User, status: 'DRAFT' | 'PUBLISHED' = 'PUBLISHED'): Promise<string> => {
    const id = randomUUID();
    await example.platform.putProject(id, { ...SHOP, ownerId: owner.id, status });
    return id;
  };
  const toBid = (projectId: string, id: string = randomUUID()) => ({
    id,
    projectId,
    teamId,
    amount: 4_200,
    message: 'We have built three of them.',
  });
  const bid = ({ market }: User, projectId: string, fields = {}) =>
    market.POST('/bids', { body: { ...toBid(projectId), ...fields } });
  /** All pages; nobody's address is in them. */
  const listBids = async ({ market }: User, query: { projectId?: string; teamId?: string }) => {
    const bids: Bid[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: { data: Bid[]; nextCursor: string | null } = await market.GET('/bids', {
        params: { query: { ...query, ...(cursor && { cursor }) } },
      });
      expect(JSON.stringify(page)).not.to.include('@');
      bids.push(...page.data);
      cursor = page.nextCursor;
    }
    return bids;
  };
  const accept = ({ market }: User, id: string) =>
    market.POST('/bids/{id}/accept', { params: { path: { id } } });

  it('lets members bid on published projects, and owners accept one bid', async () => {
    const projectId = await createProject(ada);
    for (const table of ['projects', 'teams'] as const) await example.waitForCopy(table);
    const made = await bid(henry, projectId, { id: '11111111-1111-4111-8111-111111111111' });
    expect(made).to.include({ teamName: 'North Studio', authorId: henry.employeeId, state: 'OPEN' });
    const other = await bid(grace, projectId);
    expect((await listBids(ada, { projectId })).map(({ id }) => id)).to.have.members([made.id, other.id]);
    expect(await resultOf(listBids(bob, { projectId }))).to.equal('404 PROJECT_NOT_FOUND');
    expect(await resultOf(accept(bob, made.id))).to.equal('404 BID_NOT_FOUND');
    expect(await accept(ada, made.id)).to.include({ state: 'ACCEPTED' });
    expect(await accept(ada, made.id), 'a repeated request').to.include({ state: 'ACCEPTED' });
    expect(await example.platform.getProject(projectId)).to.include({
      status: 'CONTRACTING',
      contractingStage: 'NEGOTIATION',
    });
    expect(await resultOf(accept(ada, other.id))).to.equal('409 PROJECT_NOT_PUBLISHED');
    expect(await resultOf(bid(henry, projectId))).to.equal('409 PROJECT_NOT_PUBLISHED');
  });

  it('accepts one of two bids at once', async () => {
    const projectId = await createProject(ada);
    const [first, second] = [await bid(grace, projectId), await bid(henry, projectId)];
    const results = await Promise.all([first, second].map(({ id }) => resultOf(accept(ada, id))));
    expect(results.filter((result) => typeof result !== 'string')).to.have.length(1);
    const states = (await listBids(ada, { projectId })).map(({ state }) => state);
    expect(states).to.have.members(['ACCEPTED', 'OPEN']);
  });

  it('asks the platform for rights: canSubmit, the membership, and the state of team and project', async () => {
    const projectId = await createProject(ada);
    const eve = await users.signIn('Eve', 'employee');
    expect(await resultOf(bid(eve, projectId))).to.equal('404 TEAM_NOT_FOUND');
    await example.platform.putTeamMember(teamId, eve.employeeId, { ...MEMBER, canSubmit: false });
    expect(await resultOf(bid(eve, projectId))).to.equal('403 MAY_NOT_SUBMIT');
    await example.platform.putTeamMember(teamId, eve.employeeId, { ...MEMBER, status: 'INVITED' });
    expect(await resultOf(bid(eve, projectId))).to.equal('404 TEAM_NOT_FOUND');
    expect(await resultOf(listBids(eve, { teamId }))).to.equal('404 TEAM_NOT_FOUND');
    const draft = await createProject(ada, 'DRAFT');
    expect(await resultOf(bid(grace, draft))).to.equal('409 PROJECT_NOT_PUBLISHED');
    const onboarding = randomUUID();
    const team = { name: 'South', administratorId: grace.employeeId };
    await example.platform.putTeam(onboarding, team);
    expect(await resultOf(bid(grace, projectId, { teamId: onboarding }))).to.equal('409 TEAM_NOT_VERIFIED');
    expect(await resultOf(bid(ada, projectId))).to.equal('403 KIND_NOT_ALLOWED');
    expect(await resultOf(bid(grace, projectId, { amount: -1 }))).to.equal('400 BID_INCOMPLETE');
    const { id } = await bid(grace, projectId);
    expect(await resultOf(bid(grace, projectId, { id, amount: 1 }))).to.equal('409 BID_EXISTS');
    await administrator.PATCH('/users/{id}/block', { params: { path: { id: eve.id } } });
    expect((await sendAs(eve, `${example.stack.gatewayUrl}/api/v1/bids`, 'GET')).status).to.equal(401);
  });

  it('has a platform.py that reads a secret again when it has changed', async () => {
    const { authUrl, adminUrl } = example.stack;
    const program = `
import shutil
from bids_service.platform import Platform, PlatformError
shutil.copy("main.py", "${example.secretFile}")
platform = Platform("${authUrl}", "${adminUrl}", "bids", "${example.secretFile}")
try:
    platform.introspect("x")
except PlatformError as error:
    print(error.status, error.code)
shutil.copy("local-secret", "${example.secretFile}")
print(platform.introspect("x"))`;
    const { stdout, stderr } = spawnSync('python3', ['-B', '-c', program], {
      cwd: 'examples/bids-service',
      encoding: 'utf8',
    });
    expect(stdout, stderr).to.equal("401 SERVICE_UNKNOWN\n{'active': False}\n");
  });

  it(`loses nothing when it is killed ${KILLS} times, and events in between`, async () => {
    const acknowledged = new Map<string, string>();
    const carol = await users.signIn('Carol', 'employee');
    await example.platform.putTeamMember(teamId, carol.employeeId, MEMBER);
    const ownProject = await createProject(ada);
    const carols = await bid(carol, ownProject);
    expect(carols.authorId).to.equal(carol.employeeId);
    let isDone = false;
    const acknowledge = (user: User, path: string, body: object) =>
      waitFor('the service responds', async () => {
        const { status } = await sendAs(user, `${example.stack.gatewayUrl}/api/v1${path}`, 'POST', body);
        expect(status).to.be.oneOf([200, 412, 429, 502, 503, 504]);
        return status === 200;
      });
    const write = async (): Promise<void> => {
      while (!isDone) {
        const projectId = await createProject(ada);
        const own = toBid(projectId);
        await acknowledge(grace, '/bids', own);
        await acknowledge(ada, `/bids/${own.id}/accept`, {});
        acknowledged.set(own.id, projectId);
        const params = { path: { id: projectId } };
        await administrator.PATCH('/projects/{id}', { params, body: { title: 'Edited by an ADMIN' } });
        await delay(300);
      }
    };
    const writing = write();
    for (let kill = 1; kill <= KILLS; kill += 1) {
      await delay(Math.random() * 500);
      await example.kill();
      if (kill === KILLS / 2) {
        await deleteAccount(carol.tab, { currentPassword: PASSWORD });
        await example.readEvents();
        await example.expireEvents();
        example.query(`insert into projects values ('${randomUUID()}', '{}')`);
        example.query("update teams set body = '{}'");
      }
      await example.start();
    }
    await Promise.race([writing, waitFor('some bids', () => acknowledged.size >= 4)]);
    isDone = true;
    await writing;
    for (const table of ['projects', 'teams'] as const) await example.waitForCopy(table);
    const bids = await listBids(grace, { teamId });
    expect(new Set(bids.map(({ id }) => id)).size, 'each once').to.equal(bids.length);
    const accepted = bids.filter(({ id }) => acknowledged.has(id));
    expect(accepted).to.have.length(acknowledged.size);
    for (const { state, projectTitle } of accepted)
      expect([state, projectTitle]).to.deep.equal(['ACCEPTED', 'Edited by an ADMIN']);
    const found = await example.platform.findProjects([...acknowledged.values()]);
    expect(new Set(found.map(({ status }) => status))).to.deep.equal(new Set(['CONTRACTING']));
    const [forgotten] = await listBids(ada, { projectId: ownProject });
    expect(forgotten, 'the author has deleted the account').to.include({ id: carols.id, authorId: null });
  });

  for (const name of ['auth', 'admin'] as const)
    it(`responds with 503 before the gateway's 504 while ${name}-service hangs`, async () => {
      const projectId = await createProject(bob);
      const body = toBid(projectId);
      const send = () => sendAs(grace, `${example.stack.gatewayUrl}/api/v1/bids`, 'POST', body);
      const pid = example.stack.pids[name];
      process.kill(pid, 'SIGSTOP');
      const response = await send().finally(() => process.kill(pid, 'SIGCONT'));
      expect([response.status, response.headers.get('Retry-After')]).to.deep.equal([503, '1']);
      await waitFor('the service is available', async () => (await send()).status === 200);
    });
});
