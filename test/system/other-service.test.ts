import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import {
  type AccountKind,
  ADMINISTRATOR,
  accessHeaders,
  bearer,
  CUSTOMER,
  type Device,
  EMPLOYEE,
} from '@platform/shared/testing/auth-client';
import { PASSWORD } from '@platform/shared/testing/builders';
import { listenLocally } from '@platform/shared/testing/local-server';
import { waitFor } from '@platform/shared/testing/poll';
import { type NodeProcess, startProcess } from '@platform/shared/testing/process';
import { createRecords, type Records } from '@platform/shared/testing/records';
import { send } from '@platform/shared/testing/responses';
import { type RunningStack, startStack } from '@platform/shared/testing/stack';
import { expect } from 'chai';
import { readDocBlocks } from '../../tools/doc-commands.ts';
import { createAccount, createValidatingClient } from './use-factors.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const PAGE = 'docs/other-services.md';
const PROGRAM = 'projects.ts';
const SECRET = 'projects-secret-of-the-system-test-000000';
const DRAFTS = '/api/v1/drafts';

type Caller = Device & { name: string; id: string };
type Drafts = { status: number; code: string | undefined; titles: string[] };

const findFreePort = async (): Promise<number> => {
  const { port, close } = await listenLocally(createServer());
  await close();
  return port;
};

/** The program of the page in a folder of its own, as another team has it. */
const installProgram = async (): Promise<string> => {
  const directory = await mkdtemp(join(tmpdir(), 'other-service-'));
  const blocks = readDocBlocks(await readFile(join(ROOT, PAGE), 'utf8'));
  const lines = blocks.find(({ attribute }) => attribute === PROGRAM)?.lines ?? [];
  expect(lines.length, `lines of ${PROGRAM}`).to.be.within(1, 80);
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
  let employee: Caller;

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
      SERVICE_PROJECTS_PATHS: DRAFTS,
      SERVICE_PROJECTS_URLS: `http://127.0.0.1:${port}`,
      SERVICE_PROJECTS_SECRET: SECRET,
    });
    records = createRecords(running.stack.databaseUrl);
    directory = await installProgram();
    await startService();
    employee = await signIn('employee Grace', EMPLOYEE);
  });
  after('stop both', async () => {
    // biome-ignore lint/suspicious/noConsole: the journey is what the page promises.
    console.log(journey.map((line) => `      ${line}`).join('\n'));
    await service?.stop();
    await records?.close();
    await running?.stop();
    if (directory) await rm(directory, { recursive: true, force: true });
  });

  const signIn = async (name: string, kind: AccountKind): Promise<Caller> => {
    const client = createValidatingClient(running.stack.gatewayUrl, kind);
    const account = await createAccount(client, records);
    return { ...(await client.auth.openDevice(account)), name, id: account.userId };
  };
  const call = async (caller: Caller | undefined, method: string, title?: string): Promise<Drafts> => {
    const headers = { 'Content-Type': 'application/json', ...(caller && accessHeaders(caller)) };
    const response = await fetch(running.stack.gatewayUrl + DRAFTS, {
      method,
      headers: headers as Record<string, string>,
      ...(title && { body: JSON.stringify({ title }) }),
    });
    const { code, data = [] } = (await response.json()) as { code?: string; data?: { title: string }[] };
    const titles = data.map((draft) => draft.title);
    const request = `${method} ${DRAFTS}${title ? ` "${title}"` : ''}`;
    const line =
      `${caller?.name ?? 'nobody'}: ${request} → ${response.status} ${code ?? titles.join(', ')}`.trimEnd();
    if (line !== journey.at(-1)) journey.push(line);
    return { status: response.status, code, titles };
  };
  const asAdministrator = async (method: string, path: string): Promise<void> => {
    const admin = await signIn('administrator', ADMINISTRATOR);
    const { status, text } = await send(running.stack.gatewayUrl, method, path, { headers: bearer(admin) });
    expect(status, text).to.be.within(200, 204);
    journey.push(`administrator: ${method} ${path.replace(/[\w-]{36}/, '…')} → ${status}`);
  };
  const deleteAccount = async (caller: Caller): Promise<void> => {
    const client = createValidatingClient(running.stack.gatewayUrl, CUSTOMER);
    const { status, text } = await client.as(caller, 'POST', '/account/delete', {
      currentPassword: PASSWORD,
    });
    expect(status, text).to.equal(204);
    journey.push(`${caller.name}: deletes the account → ${status}`);
  };
  const waitUntilForgotten = async (title: string): Promise<void> => {
    await waitFor(`the service forgets "${title}"`, async () => {
      const { titles } = await call(employee, 'GET');
      return !titles.includes(title);
    });
  };

  it('knows its caller: a customer creates, an employee sees all, nobody else anything', async () => {
    const [ada, bob] = [await signIn('customer Ada', CUSTOMER), await signIn('customer Bob', CUSTOMER)];
    expect(await call(undefined, 'GET')).to.include({ status: 401, code: 'TOKEN_INVALID' });
    expect(await call(ada, 'POST', 'A garden')).to.include({ status: 201 });
    expect((await call(ada, 'GET')).titles).to.deep.equal(['A garden']);
    expect((await call(bob, 'GET')).titles).to.deep.equal([]);
    expect((await call(employee, 'GET')).titles).to.deep.equal(['A garden']);
    expect(await call(employee, 'POST', 'A garden')).to.include({ status: 403, code: 'KIND_NOT_ALLOWED' });
    const stolen = { ...ada, name: "a thief with Ada's token", fingerprint: bob.fingerprint };
    expect(await call(stolen, 'GET')).to.include({ status: 401, code: 'TOKEN_INVALID' });
  });

  it('refuses the next request of a blocked user', async () => {
    const eve = await signIn('customer Eve', CUSTOMER);
    expect(await call(eve, 'POST', 'A shed')).to.include({ status: 201 });
    await asAdministrator('PATCH', `/api/v1/users/${eve.id}/block`);
    expect(await call(eve, 'POST', 'A second shed')).to.include({ status: 401, code: 'TOKEN_INVALID' });
    expect((await call(employee, 'GET')).titles)
      .to.include('A shed')
      .and.not.to.include('A second shed');
  });

  it('forgets deleted users, also those who were deleted while it was away', async () => {
    const [dan, fay] = [await signIn('customer Dan', CUSTOMER), await signIn('customer Fay', CUSTOMER)];
    expect(await call(dan, 'POST', 'A roof')).to.include({ status: 201 });
    expect(await call(fay, 'POST', 'A door')).to.include({ status: 201 });
    await deleteAccount(dan);
    await waitUntilForgotten('A roof');
    service.kill();
    await service.waitForExit();
    journey.push('the service is killed');
    await deleteAccount(fay);
    await startService();
    journey.push('the service starts again');
    await waitUntilForgotten('A door');
    expect((await call(employee, 'GET')).titles).to.deep.equal(['A garden', 'A shed']);
    expect(service.output()).to.equal(`Listening on ${port}\n`);
  });
});
