import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type CallsOf, createPlatformClient, isPlatformError, type PlatformClient } from '@platform/client';
import { deleteAccount } from '@platform/client/account';
import { bearer, createAuthClient } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail } from '@platform/shared/testing/builders';
import { listenLocally } from '@platform/shared/testing/local-server';
import { waitFor } from '@platform/shared/testing/poll';
import { type NodeProcess, startProcess } from '@platform/shared/testing/process';
import { createRecords, type Records } from '@platform/shared/testing/records';
import { send } from '@platform/shared/testing/responses';
import { type RunningStack, startStack } from '@platform/shared/testing/stack';
import { expect } from 'chai';
import { readDocBlocks } from '../../tools/doc-commands.ts';
import {
  type Break,
  createBreakingProxy,
  keepAccess,
  onRoute,
  setHeaders,
} from '../deployed/breaking-proxy.ts';
import { createAccounts, findFailures } from '../deployed/run-checks.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const PAGE = 'docs/other-services.md';
const PROGRAM = 'projects.ts';
const SECRET = 'projects-secret-of-the-system-test-000000';

/** The paths of the service, as generated from its document. */
type Draft = { id: string; title: string };
type DraftPaths = {
  '/drafts': {
    get: {
      parameters: object;
      requestBody?: never;
      responses: { 200: { content: { 'application/json': { data: Draft[] } } } };
    };
    post: {
      parameters: object;
      requestBody: { content: { 'application/json': { title: string } } };
      responses: { 201: { content: { 'application/json': Draft } } };
    };
  };
};
/** A user who is signed in in a browser, and calls the service with the typed client. */
type User = {
  name: string;
  id: string;
  tab: PlatformClient<'customer' | 'employee'>;
  authorization: () => string;
};

const findFreePort = async (): Promise<number> => {
  const { port, close } = await listenLocally(createServer());
  await close();
  return port;
};

/** Installs the program of the page in a separate folder, as another team would have it. */
const installProgram = async (): Promise<string> => {
  const directory = await mkdtemp(join(tmpdir(), 'other-service-'));
  const blocks = readDocBlocks(await readFile(join(ROOT, PAGE), 'utf8'));
  const lines = blocks.find(({ attribute }) => attribute === PROGRAM)?.lines ?? [];
  expect(lines, PROGRAM).not.to.be.empty;
  await writeFile(join(directory, PROGRAM), lines.join('\n'));
  await writeFile(join(directory, 'package.json'), JSON.stringify({ type: 'module' }));
  await writeFile(join(directory, 'secret'), `${SECRET}\n`);
  await symlink(join(ROOT, 'node_modules'), join(directory, 'node_modules'), 'junction');
  return directory;
};

describe(`service of ${PAGE}`, () => {
  const journey: string[] = [];
  let running: RunningStack;
  let records: Records;
  let directory: string;
  let port: number;
  let service: NodeProcess;
  let employee: User;
  const tabs: { close: () => void }[] = [];

  const startService = async (): Promise<void> => {
    const { authUrl, adminUrl } = running.stack;
    const files = { SECRET_FILE: join(directory, 'secret'), DATABASE: join(directory, 'projects.db') };
    service = startProcess([join(directory, PROGRAM)], {
      environment: { AUTH_URL: authUrl, ADMIN_URL: adminUrl, PORT: String(port), ...files },
      cwd: directory,
    });
    await waitFor('the service listens', () => {
      if (service.hasExited()) throw new Error(service.output());
      return service.output().includes(`Listening on ${port}`);
    });
  };

  before('start the service and a stack that knows it', async () => {
    port = await findFreePort();
    running = await startStack({
      SERVICES: 'projects',
      SERVICE_PROJECTS_PATHS: '/api/v1/drafts',
      SERVICE_PROJECTS_URLS: `http://127.0.0.1:${port}`,
      SERVICE_PROJECTS_SECRET: SECRET,
    });
    records = createRecords(running.stack.databaseUrl);
    directory = await installProgram();
    await startService();
    employee = await signIn('employee Grace', 'employee');
  });
  after('stop both', async () => {
    // biome-ignore lint/suspicious/noConsole: the journey is what the page promises.
    console.log(journey.map((line) => `      ${line}`).join('\n'));
    for (const tab of tabs) tab.close();
    await service?.stop();
    await records?.close();
    await running?.stop();
    if (directory) await rm(directory, { recursive: true, force: true });
  });

  const signIn = async (name: string, kind: 'customer' | 'employee'): Promise<User> => {
    let authorization = '';
    const recordingFetch = (request: Request, init: { signal?: AbortSignal }) => {
      authorization = request.headers.get('Authorization') ?? authorization;
      return fetch(request, init);
    };
    const tab = createPlatformClient({ gatewayUrl: running.stack.gatewayUrl, kind, fetch: recordingFetch });
    tabs.push(tab);
    const credentials = { email: uniqueEmail(), password: PASSWORD };
    await tab.signUp(credentials);
    const { user } = await tab.signIn(credentials);
    return { name, id: user.id, tab, authorization: () => authorization };
  };
  const note = (line: string) => {
    if (line !== journey.at(-1)) journey.push(line);
  };
  /** Returns the titles of the response, or the status and the code of the failure. */
  const call = async ({ name, tab }: User, title?: string): Promise<string[] | string> => {
    const drafts = tab as unknown as CallsOf<DraftPaths>;
    const calling =
      title === undefined
        ? drafts.GET('/drafts').then(({ data }) => data.map((draft) => draft.title))
        : drafts.POST('/drafts', { body: { title } }).then((draft) => [draft.title]);
    const result = await calling.catch((error: unknown) => {
      if (isPlatformError(error)) return `${error.status} ${error.code}`;
      throw error;
    });
    const shown = typeof result === 'string' ? result : `[${result.join(', ')}]`;
    note(`${name}: ${title === undefined ? 'GET' : `POST "${title}"`} → ${shown}`);
    return result;
  };
  const callAsStranger = async (headers: Record<string, string>): Promise<number> => {
    const { status } = await fetch(`${running.stack.gatewayUrl}/api/v1/drafts`, { headers });
    note(`a stranger: GET with ${Object.keys(headers).join(', ') || 'no token'} → ${status}`);
    return status;
  };
  const block = async ({ id, name }: User): Promise<void> => {
    const client = createAuthClient(running.stack.gatewayUrl, 'administrator', undefined, records);
    const headers = bearer((await client.openVerifiedAccount()).device);
    const path = `/api/v1/users/${id}/block`;
    const { status, text } = await send(running.stack.gatewayUrl, 'PATCH', path, { headers });
    expect(status, text).to.equal(200);
    note(`an administrator blocks the ${name}`);
  };
  const deleteOwnAccount = async ({ name, tab }: User): Promise<void> => {
    await deleteAccount(tab, { currentPassword: PASSWORD });
    note(`${name}: deletes the account`);
  };
  const waitUntilForgotten = (title: string) =>
    waitFor(`the service forgets "${title}"`, async () => !(await call(employee)).includes(title));

  it('knows its caller: a customer creates, an employee sees all, a stranger nothing', async () => {
    const [ada, bob] = [await signIn('customer Ada', 'customer'), await signIn('customer Bob', 'customer')];
    expect(await call(ada, 'A garden')).to.deep.equal(['A garden']);
    expect(await call(ada)).to.deep.equal(['A garden']);
    expect(await call(bob)).to.deep.equal([]);
    expect(await call(employee)).to.deep.equal(['A garden']);
    expect(await call(employee, 'A pond')).to.equal('403 KIND_NOT_ALLOWED');
    expect(await callAsStranger({})).to.equal(401);
    const stolen = { Authorization: ada.authorization(), 'X-Fingerprint': 'of another device' };
    expect(await callAsStranger(stolen)).to.equal(401);
  });

  it('rejects the next request of a blocked user', async () => {
    const eve = await signIn('customer Eve', 'customer');
    expect(await call(eve, 'A shed')).to.deep.equal(['A shed']);
    await block(eve);
    const headers = { Authorization: eve.authorization() };
    expect(await callAsStranger(headers), 'without the refresh of the client').to.equal(401);
    expect(await call(eve, 'A second shed')).to.equal('401 USER_BLOCKED');
    expect(await call(employee)).to.deep.equal(['A garden', 'A shed']);
  });

  it('forgets deleted users, also those who were deleted while it was down', async () => {
    const [dan, fay] = [await signIn('customer Dan', 'customer'), await signIn('customer Fay', 'customer')];
    expect(await call(dan, 'A roof')).to.deep.equal(['A roof']);
    expect(await call(fay, 'A door')).to.deep.equal(['A door']);
    await deleteOwnAccount(dan);
    await waitUntilForgotten('A roof');
    service.kill();
    await service.waitForExit();
    note('the service is killed');
    await deleteOwnAccount(fay);
    await startService();
    note('the service starts again');
    await waitUntilForgotten('A door');
    expect(await call(employee)).to.deep.equal(['A garden', 'A shed']);
    expect(service.output()).to.equal(`Listening on ${port}\n`);
  });

  it('passes check:deployed, which detects a service that is gone, remembers tokens or sets headers', async () => {
    const { stack } = running;
    const [customer] = await createAccounts(records);
    const check = async (servicePath: string, ...breaks: Break[]): Promise<string[]> => {
      const proxy = await createBreakingProxy(stack.gatewayUrl, breaks);
      const options = { accounts: customer ? [customer] : [], servicePaths: [servicePath] };
      return findFailures(proxy.url, options).finally(proxy.close);
    };
    const path = '/api/v1/drafts';
    expect(await check(path)).to.deep.equal([]);
    const route = /^GET \/api\/v1\/drafts$/;
    const failures = await check(
      path,
      setHeaders(route, { 'content-security-policy': undefined }),
      onRoute(/(?:drafts|sign-out)$/, keepAccess(/\/sign-out$/)),
    );
    expect(failures.join('\n'))
      .to.match(/Content-Security-Policy.*\[GET \/api\/v1\/drafts,/)
      .and.match(/^GET \/api\/v1\/drafts as customer .*200 instead of 401/m);
    expect((await check('/api/v1/unknown')).join()).to.match(
      /^GET \/api\/v1\/unknown: .*does not know the path/,
    );
    await service.stop();
    expect((await check(path)).join()).to.match(/^GET \/api\/v1\/drafts: the service responds: it is 50[23]/);
  });
});
