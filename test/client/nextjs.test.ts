import { uniqueEmail } from '@platform/shared/testing/builders';
import { waitFor } from '@platform/shared/testing/poll';
import { type NodeProcess, startProcess } from '@platform/shared/testing/process';
import { expect } from 'chai';
import { type FrontendProject, installRecipe } from './frontend-project.ts';
import { getSite, openBrowser, signIn } from './recipe-site.ts';

const NO_TELEMETRY = { NEXT_TELEMETRY_DISABLED: '1' };

/** A route handler that signs a user in, and a request without credentials to the same handler. */
const probe = (createClient: string): string => `
import { isPlatformError } from '@platform/client';
import { createRequestPlatform } from '../request-platform';
const shared = createRequestPlatform(new Headers());
export const POST = async (request: Request) => {
  const { user } = await ${createClient}.signIn(await request.json());
  return new Response(user.email);
};
export const GET = (request: Request) =>
  ${createClient}.me().then(
    ({ user }) => new Response(user.email),
    (error: unknown) => new Response(isPlatformError(error) ? error.code : String(error)),
  );
`;

describe('recipe for Next.js with the gateway on the same site', () => {
  let url: string;
  let server: NodeProcess | undefined;

  const start = async ({ directory }: FrontendProject): Promise<string> => {
    const next = ['node_modules/next/dist/bin/next', 'start', '--port', '0', '--hostname', '127.0.0.1'];
    const started = startProcess(next, {
      cwd: directory,
      environment: { ...process.env, ...NO_TELEMETRY },
    });
    server = started;
    return await waitFor('Next.js listens', () => {
      if (started.hasExited()) throw new Error(started.output());
      return started.output().includes('Ready') && /http:\/\/[\w.]+:\d+/.exec(started.output())?.[0];
    });
  };

  before('build and start', async () => {
    const { gatewayUrl } = await getSite();
    const project = await installRecipe('nextjs');
    await project.write('.env.local', `GATEWAY_URL=${gatewayUrl}\n`);
    await project.write('app/probe/route.ts', probe('createRequestPlatform(request.headers)'));
    await project.write('app/shared-probe/route.ts', probe('shared'));
    Object.assign(process.env, NO_TELEMETRY);
    await project.npm('run', 'build');
    url = await start(project);
  });
  after(() => server?.stop());

  it('signs in, and restores the session after a reload with a first-party cookie', async () => {
    const { createAccount } = await getSite();
    const { context, open, errors } = await openBrowser();
    const account = await createAccount();
    const page = await open(url);
    await signIn(page, account);
    const [cookie] = await context.cookies(url);
    expect(cookie).to.include({ name: 'CustomerRefreshToken', httpOnly: true, domain: '127.0.0.1' });

    await page.reload();
    await page.getByRole('heading', { name: account.email }).waitFor();
    await page.getByRole('button', { name: 'Signed-in devices' }).click();
    await page.getByRole('status').filter({ hasText: '1' }).waitFor();
    expect(errors()).to.deep.equal([]);
  });

  it('sends requests to its own origin only', async () => {
    const { createAccount } = await getSite();
    const { context, open } = await openBrowser();
    const origins = new Set<string>();
    context.on('request', (request) => origins.add(new URL(request.url()).origin));
    await signIn(await open(url), await createAccount());
    expect([...origins].filter((origin) => origin !== 'null')).to.deep.equal([url]);
  });

  it('keeps no user for the next request to the server, as a shared client does', async () => {
    const { createAccount } = await getSite();
    const { email, password } = await createAccount();
    const call = async (route: string, init?: RequestInit): Promise<string> =>
      (await fetch(`${url}/${route}`, init)).text();
    const credentials = { method: 'POST', body: JSON.stringify({ email, password }) };
    for (const route of ['probe', 'shared-probe']) expect(await call(route, credentials)).to.equal(email);
    expect(await call('probe')).to.equal('TOKEN_INVALID');
    expect(await call('shared-probe'), 'the mistake that the recipe avoids').to.equal(email);
  });

  it('forwards a form from a route handler with a client for this request', async () => {
    const { inbox } = await getSite();
    const email = uniqueEmail();
    const send = (fields: Record<string, string>) =>
      fetch(`${url}/lead`, { method: 'POST', body: new URLSearchParams(fields) });
    expect((await send({ name: 'Ada', email })).status).to.equal(204);
    const rejected = await send({ name: 'Ada', email: 'nobody' });
    expect(rejected.status).to.equal(400);
    expect(await rejected.json()).to.include({ code: 'VALIDATION_FAILED' });
    const received = await waitFor('the mail to the team', async () => {
      const mails = await inbox.mailsTo('contact@example.com');
      return mails.find(({ text }) => text.includes(email));
    });
    expect(received.text).to.include('Ada');
  });
});
