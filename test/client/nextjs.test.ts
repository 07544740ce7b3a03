import { createServer } from 'node:http';
import { ADMINISTRATOR, bearer, CUSTOMER, createAuthClient } from '@platform/shared/testing/auth-client';
import { uniqueEmail } from '@platform/shared/testing/builders';
import { hasOpenssl } from '@platform/shared/testing/certificates';
import { listenLocally } from '@platform/shared/testing/local-server';
import { waitFor } from '@platform/shared/testing/poll';
import { type NodeProcess, startProcess } from '@platform/shared/testing/process';
import { createRecords } from '@platform/shared/testing/records';
import { send } from '@platform/shared/testing/responses';
import { startStack } from '@platform/shared/testing/stack';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { createTestBrowser } from '../browser/support/browser-test.ts';
import { startTlsProxy } from '../browser/support/tls-proxy.ts';
import { type FrontendProject, installRecipe } from './frontend-project.ts';
import { getSite, openBrowser, signIn } from './recipe-site.ts';

/** `readSession` waits for one second, and other calls for ten: a busy machine is still between them. */
const PAGE_MILLISECONDS = 6_000;
const NO_TELEMETRY = { NEXT_TELEMETRY_DISABLED: '1' };

/** A page that mounts the account later, with the user of an earlier request as its initial value. */
const LATER = `
'use client';
import { useState } from 'react';
import { Account } from '../account';
const initial = { user: { email: 'former@example.com' }, session: { id: 'former' } } as never;
const Page = () => {
  const [isShown, setShown] = useState(false);
  return <main>{isShown ? <Account initial={initial} /> : <button onClick={() => setShown(true)}>Show</button>}</main>;
};
export default Page;
`;

/** The same page in a site that allows Next.js to store the responses of its requests. */
const CACHED = `
export const fetchCache = 'default-cache';
export { default } from '../page';
`;

/** Records every text that the page shows, starting with its first element. */
const RECORD_TEXTS = `
  window.texts = [];
  const record = () => {
    const text = document.querySelector('main')?.textContent;
    if (text && text !== texts.at(-1)) texts.push(text);
  };
  new MutationObserver(record).observe(document, { childList: true, subtree: true, characterData: true });
`;
const readTexts = (page: Page): Promise<string> => page.evaluate<string>('texts.join()');

/** React hydrates `main` after its content. A click before that has no effect. */
const untilHydrated = (page: Page): Promise<unknown> =>
  page.waitForFunction(
    `Object.keys(document.querySelector('main')).some((key) => key.startsWith('__reactProps'))`,
  );

const block = async (userId: string): Promise<void> => {
  const { gatewayUrl, databaseUrl } = await getSite();
  const records = createRecords(databaseUrl);
  const admin = await createAuthClient(gatewayUrl, ADMINISTRATOR).openDevice(await records.user(['ADMIN']));
  const { status } = await send(gatewayUrl, 'PATCH', `/api/v1/users/${userId}/block`, {
    headers: bearer(admin),
  });
  expect(status).to.equal(200);
};

describe('recipe for Next.js with the gateway on the same site', () => {
  let project: FrontendProject;
  let url: string;
  let server: NodeProcess | undefined;

  const start = async (
    { directory }: FrontendProject,
    environment: Record<string, string> = {},
  ): Promise<{ url: string; server: NodeProcess }> => {
    const next = ['node_modules/next/dist/bin/next', 'start', '--port', '0', '--hostname', 'localhost'];
    const started = startProcess(next, {
      cwd: directory,
      environment: { ...process.env, ...NO_TELEMETRY, ...environment },
    });
    const address = await waitFor('Next.js listens', () => {
      if (started.hasExited()) throw new Error(started.output());
      return started.output().includes('Ready') && /http:\/\/[\w.]+:\d+/.exec(started.output())?.[0];
    });
    return { url: address, server: started };
  };

  before('build and start', async () => {
    project = await installRecipe('nextjs');
    await project.write('app/later/page.tsx', LATER);
    await project.write('app/cached/page.tsx', CACHED);
    Object.assign(process.env, NO_TELEMETRY);
    await project.npm('run', 'build');
    // The build knows no gateway.
    const { gatewayUrl } = await getSite();
    ({ url, server } = await start(project, { GATEWAY_URL: gatewayUrl }));
  });
  after(() => server?.stop());

  it('signs in, and restores the session after a reload with a first-party cookie', async () => {
    const { createAccount } = await getSite();
    const { context, open, errors } = await openBrowser();
    const account = await createAccount();
    const page = await open(url);
    await signIn(page, account);
    const [cookie] = await context.cookies(url);
    expect(cookie).to.include({ name: 'CustomerRefreshToken', httpOnly: true, domain: 'localhost' });

    await page.reload();
    await page.getByRole('heading', { name: account.email }).waitFor();
    await untilHydrated(page);
    await page.getByRole('button', { name: 'Signed-in devices' }).click();
    await page.getByRole('status').filter({ hasText: '1' }).waitFor();
    expect(errors()).to.deep.equal([]);
  });

  /**
   * Signs in as a new customer. `render` returns what the server sends to this browser before any script
   * runs.
   */
  const openSignedIn = async (...allowed: RegExp[]) => {
    const { createAccount } = await getSite();
    const { context, open, errors } = await openBrowser(...allowed);
    const account = await createAccount();
    const page = await open(url);
    await signIn(page, account);
    const heading = `<h2>${account.email}</h2>`;
    const render = async (path = '/') => {
      const response = await context.request.get(url + path);
      expect(response.headers()['cache-control']).to.include('no-store');
      return await response.text();
    };
    await context.addInitScript(RECORD_TEXTS);
    return { context, page, account, heading, render, errors };
  };

  it('renders the user on the server, and nothing else before it in the browser', async () => {
    const { page, account, heading, render, errors } = await openSignedIn();
    expect(await render()).to.include(heading);
    expect(await (await fetch(url)).text(), 'of another visitor').not.to.include(account.email);
    await page.reload();
    await untilHydrated(page);
    await page.getByRole('button', { name: 'Signed-in devices' }).click();
    await page.getByRole('status').filter({ hasText: '1' }).waitFor();
    expect(await readTexts(page))
      .to.include(account.email)
      .and.not.to.include('Password');
    expect(errors()).to.deep.equal([]);
  });

  it('renders the user after a refresh in another tab', async () => {
    const { context, heading, render, errors } = await openSignedIn();
    const [before] = await context.cookies(url);
    const tab = await context.newPage();
    // The first tab shares its access token, which is no longer valid an hour later.
    await tab.clock.install({ time: Date.now() + 3_600_000 });
    await tab.goto(url);
    await untilHydrated(tab);
    await tab.getByRole('button', { name: 'Signed-in devices' }).click();
    await tab.getByRole('status').filter({ hasText: '1' }).waitFor();
    expect((await context.cookies(url))[0]?.value).not.to.equal(before?.value);
    expect(await render()).to.include(heading);
    expect(errors()).to.deep.equal([]);
  });

  it('renders the form after the sign-out', async () => {
    const { page, account, render, errors } = await openSignedIn();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Password').waitFor();
    expect(await render())
      .to.include('Password')
      .and.not.to.include(account.email);
    await page.reload();
    await untilHydrated(page);
    expect(await readTexts(page)).not.to.include(account.email);
    expect(errors()).to.deep.equal([]);
  });

  it('renders the form after a block, and the browser does not show its stored user', async () => {
    const { page, account, heading, render, errors } = await openSignedIn(/status of 401/);
    const paths = ['/', '/cached'];
    for (const path of paths) expect(await render(path)).to.include(heading);
    await block(account.userId);
    for (const path of paths)
      expect(await render(path), path)
        .to.include('Password')
        .and.not.to.include(account.email);
    await page.reload();
    await page.waitForFunction(`!JSON.stringify(localStorage).includes('${account.email}')`);
    expect(await readTexts(page)).not.to.include(account.email);
    expect(errors()).to.deep.equal([]);
  });

  it('shows no user after a sign-out that did not reach the platform', async () => {
    const { page, account, errors } = await openSignedIn();
    // This is what signOut({ localOnly: true }) writes.
    await page.evaluate(`
      const { fingerprint, generation } = JSON.parse(localStorage.getItem('platform.customer'));
      localStorage.setItem('platform.customer', JSON.stringify({ fingerprint, generation: generation + 1, reason: 'SIGNED_OUT' }));
    `);
    await page.reload();
    await page.getByLabel('Password').waitFor();
    expect(await page.evaluate(`JSON.stringify(localStorage)`)).not.to.include(account.email);
    expect(errors()).to.deep.equal([]);
  });

  it('asks a browser that has lost its storage to sign in again', async () => {
    const { page, errors } = await openSignedIn();
    await page.evaluate('localStorage.clear()');
    await page.reload();
    await page.getByLabel('Password').waitFor();
    expect(errors()).to.deep.equal([]);
  });

  it('renders the page with any cookie, without waiting for a gateway that does not respond', async () => {
    const gateway = createServer((request, response) => {
      if (request.url?.startsWith('/fails/')) response.writeHead(500).end();
    });
    const { port, close } = await listenLocally(gateway);
    const broken = {
      gone: 'http://127.0.0.1:1',
      hangs: `http://127.0.0.1:${port}`,
      fails: `http://127.0.0.1:${port}/fails`,
    };
    for (const [name, GATEWAY_URL] of Object.entries(broken)) {
      const site = await start(project, { GATEWAY_URL });
      try {
        for (const cookie of ['', 'CustomerRefreshToken=invented']) {
          const startedAt = performance.now();
          const response = await fetch(site.url, { headers: { cookie } });
          expect(await response.text(), name).to.include(cookie ? 'One moment' : 'Password');
          expect(response.status).to.equal(200);
          expect(performance.now() - startedAt, `${name} ${cookie}`).to.be.below(PAGE_MILLISECONDS);
        }
      } finally {
        await site.server.stop();
      }
    }
    await close();
  });

  it('renders the user who signed in on the account pages, on another host than that of the gateway', async function () {
    if (!hasOpenssl()) return this.skip();
    let nextPort = '';
    const proxy = await startTlsProxy(() => nextPort);
    const shopUrl = `https://www.market.test:${proxy.port}`;
    const environment = { PAGES: 'on', SEED_DEMO: '', PUBLIC_URL: shopUrl, TRUSTED_PROXY_HOPS: '1' };
    const { stack, stop } = await startStack(environment);
    const site = await start(project, { GATEWAY_URL: stack.gatewayUrl });
    nextPort = new URL(site.url).port;
    try {
      const { context } = await createTestBrowser({ ignoreHTTPSErrors: true }, (await getSite()).browser);
      const page = await context.newPage();
      const email = 'customer@example.com';
      // The HTML of the server, before any script runs.
      const render = async (): Promise<string> => (await (await page.goto(shopUrl))?.text()) ?? '';
      expect(await render()).to.include('Password');
      await page.goto(`${shopUrl}/account/customer/sign-in?returnTo=%2F`);
      await page.locator('input[name=email]').fill(email);
      await page.locator('input[name=password]').fill('Password123!');
      await page.keyboard.press('Enter');
      await page.waitForURL(`${shopUrl}/`);
      await page.getByRole('heading', { name: email }).waitFor();
      expect(await render()).to.include(`<h2>${email}</h2>`);
      await page.goto(`${shopUrl}/account/customer/`);
      await page.getByRole('heading', { name: 'Your account' }).waitFor();
      expect(page.url()).to.equal(`${shopUrl}/account/customer/`);
      await context.close();
    } finally {
      await Promise.all([site.server.stop(), stop(), proxy.close()]);
    }
  }).timeout(300_000);

  it('signs in with a form that was submitted before the scripts were loaded, without adding it to the URL', async () => {
    const { createAccount } = await getSite();
    const { context, errors } = await openBrowser();
    const account = await createAccount();
    const submitted = Promise.withResolvers<void>();
    await context.route('**/_next/**', (route) => submitted.promise.then(() => route.continue()));
    await context.addInitScript(`addEventListener('submit', () => { window.isSubmitted = true; }, true)`);
    const page = await context.newPage();
    await page.goto(url, { waitUntil: 'commit' });
    const signedIn = signIn(page, account);
    await page.waitForFunction('window.isSubmitted');
    submitted.resolve();
    await signedIn;
    expect(page.url()).to.equal(`${url}/`);
    expect(errors()).to.deep.equal([]);
  });

  it('shows no user of an earlier request in a component that is mounted later', async () => {
    const { context, open } = await openBrowser();
    await context.addInitScript(RECORD_TEXTS);
    const page = await open(`${url}/later`);
    await untilHydrated(page);
    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByLabel('Password').waitFor();
    expect(await readTexts(page)).not.to.include('former@example.com');
  });

  it('reports the address of the visitor to the gateway, which a visitor cannot choose', async () => {
    const { email, password } = await (await getSite()).createAccount();
    // The load balancer has appended the second address.
    const headers = { 'X-Forwarded-For': '198.51.100.9, 203.0.113.7' };
    const { body, text } = await createAuthClient(url, CUSTOMER).signIn({
      fingerprint: email,
      body: { email, password },
      headers,
    });
    expect(body.session.ip, text).to.equal('203.0.113.7');
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
