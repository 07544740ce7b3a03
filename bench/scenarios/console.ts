import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runScript } from '@platform/shared/testing/process';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { createRecords } from '@platform/shared/testing/records';
import { startChromium } from '@platform/test/browser/support/chromium';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { BenchRun } from '../bench-run.ts';
import { LARGE, PLAN, SMALL } from '../plan.ts';
import { formatNumber } from '../report/table.ts';
import { median } from '../statistics.ts';
import type { Endpoints } from '../targets/platform.ts';
import { timeByTurns } from './lists.ts';

/** The speed of the machine in the last measurement is divided by this. */
const SLOWDOWN = 4;
const MAX_RATIO = 1.5;
/** One for each round, because the console keeps results for a while. */
const NAMES = ['Garcia', 'Novak', 'Hansen', 'Weber', 'Larsen', 'Rossi'];
/** Each fills a page at 10,000 users too, so that the same number of rows is compared. */
const PARTS_OF_ADDRESSES = ['anna.s', 'peter.s', 'maria.s', 'john.s', 'elena.s', 'david.s'];
const NOBODY = ['nobody1', 'nobody2', 'nobody3', 'nobody4', 'nobody5', 'nobody6'];

type Server = Pick<Endpoints, 'gatewayUrl' | 'databaseUrl'>;
type Console = { page: Page; context: BrowserContext; url: string; addresses: string[] };

const waitForList = (page: Page) => page.locator('tr[data-row], .empty').first().waitFor();

/** Signs in an ADMIN in a new window. */
const openConsole = async (browser: Browser, { gatewayUrl, databaseUrl }: Server): Promise<Console> => {
  const records = createRecords(databaseUrl);
  const { email, password } = await records.user(['ADMIN'], { isEmailVerified: true });
  await records.close();
  const rows = await queryDatabase<{ email: string }>(databaseUrl, 'select email from users limit 6');
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  // Only from this name do browsers take secure cookies without TLS.
  const url = `http://localhost:${new URL(gatewayUrl).port}/console/`;
  await page.goto(`${url}users`);
  await page.locator('input[name=email]').fill(email);
  await page.locator('input[name=password]').fill(password);
  await page.locator('form button[type=submit]').click();
  await waitForList(page);
  return { page, context, url, addresses: rows.map((row) => row.email) };
};

/** Loads the page and its first rows. */
const openList = async ({ page, url }: Console, round: number): Promise<void> => {
  await page.goto(`${url}users?page=${round + 1}`);
  await waitForList(page);
};

/** The milliseconds from the request, which the list sends a moment after the last key. */
const search = async ({ page }: Console, text: string): Promise<number> => {
  const isSearch = (message: { url: () => string }) => message.url().includes('/users?');
  const found = page.waitForResponse(isSearch);
  const sent = page.waitForRequest(isSearch).then(() => performance.now());
  await page.locator('input[type=search]').fill(text);
  await found;
  await page.locator('main:not(:has([aria-busy=true]))').waitFor();
  await waitForList(page);
  return performance.now() - (await sent);
};

/** Opens one of the users in the list, with everything on the page, and returns. */
const openUser = async ({ page }: Console, round: number): Promise<void> => {
  await page.locator('tr[data-row] a').nth(round).click();
  await page.locator('main:not(:has(.skeleton, [aria-busy=true])) .card').first().waitFor();
};

/** The requests to the API for a user's page after a reload, and whether one waited for another. */
const listRequests = async ({ page }: Console): Promise<string[][]> => {
  const origin = performance.now();
  const times = new Map<string, { started: number; ended: number }>();
  const isApi = (url: string) => url.includes('/api/v1/');
  page.on('request', (request) => {
    if (isApi(request.url())) times.set(request.url(), { started: performance.now() - origin, ended: 0 });
  });
  page.on('requestfinished', (request) => {
    const time = times.get(request.url());
    if (time) time.ended = performance.now() - origin;
  });
  await page.reload();
  await page.locator('main:not(:has(.skeleton, [aria-busy=true])) .card').first().waitFor();
  await page.waitForLoadState('networkidle');
  return [...times].map(([url, { started, ended }]) => [
    new URL(url).pathname.replace(/[0-9a-f-]{36}/, '{id}'),
    started.toFixed(0),
    ended.toFixed(0),
  ]);
};

/** The seconds until the first rows, with the session alone: the cache of a new window is empty. */
const measureColdList = async (browser: Browser, { context, url }: Console): Promise<number> => {
  const seconds: number[] = [];
  let storageState = await context.storageState();
  for (let round = 0; round < PLAN.pageReads; round += 1) {
    const window = await browser.newContext({ storageState, locale: 'en-GB' });
    const page = await window.newPage();
    const session = await window.newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
    const started = performance.now();
    await page.goto(`${url}users`);
    await waitForList(page);
    seconds.push((performance.now() - started) / 1_000);
    storageState = await window.storageState();
    await window.close();
  }
  return median(seconds);
};

/** Compares the console's pages at 1,000,000 users with those at 10,000. */
export const measureConsole = async (run: BenchRun): Promise<void> => {
  const { platform, databaseUrl } = await run.small();
  const large = await run.large();
  const pagesDir = await mkdtemp(join(tmpdir(), 'platform-pages-'));
  run.defer(() => rm(pagesDir, { recursive: true }));
  await runScript('web/run-build.ts', [pagesDir, '--compress'], { NODE_ENV: 'production' });
  // The gateway needs PUBLIC_URL for its pages in production, and here its port is not known before.
  const variables = { NODE_ENV: 'development', PAGES: 'console', PAGES_DIR: pagesDir };
  const auth = await platform.startInstance('auth', { databaseUrl: large.databaseUrl });
  const [gatewayOfFew, gatewayOfMany] = [
    await platform.startInstance('gateway', {}, variables),
    await platform.startInstance('gateway', { authUrl: auth.url, adminUrl: large.adminUrl }, variables),
  ];
  const browser = await startChromium();
  run.defer(() => browser.close());
  const few = await openConsole(browser, { gatewayUrl: gatewayOfFew.url, databaseUrl });
  const many = await openConsole(browser, { gatewayUrl: gatewayOfMany.url, databaseUrl: large.databaseUrl });

  const compare = async (name: string, work: (console: Console, round: number) => Promise<unknown>) => {
    const rounds = [0, 0];
    const [ofFew = Number.NaN, ofMany = Number.NaN] = await timeByTurns(
      PLAN.pageReads,
      ...[few, many].map((each, index) => () => {
        const round = rounds[index] ?? 0;
        rounds[index] = round + 1;
        return work(each, round);
      }),
    );
    run.report.addResult({
      name: `${name}, ${formatNumber(LARGE.users)} users of ${formatNumber(SMALL.users)}`,
      basis: `${ofMany.toFixed(0)} ms of ${ofFew.toFixed(0)} ms`,
      unit: '×',
      target: { atMost: MAX_RATIO },
      value: ofMany / ofFew,
    });
  };
  const compareSearches = (name: string, texts: (console: Console) => readonly string[]) =>
    compare(`console, search for ${name}`, (each, round) => search(each, texts(each)[round] ?? ''));

  await compare('console, list of users', openList);
  await compareSearches('a name', () => NAMES);
  await compareSearches('the beginning of an address', () => PARTS_OF_ADDRESSES);
  await compareSearches('an address', ({ addresses }) => addresses);
  await compareSearches('what nobody has', () => NOBODY);
  for (const each of [few, many]) await openList(each, 0);
  await compare("console, a user's page", async (each, round) => {
    await openUser(each, round);
    await each.page.goBack();
    await waitForList(each.page);
  });
  await openUser(many, 0);
  const columns = ['request', 'begins after ms', 'ends after ms'];
  run.report.addTable("Requests of a user's page after a reload", columns, await listRequests(many));
  const seconds = await measureColdList(browser, many);
  run.report.addTable(
    'The first list with an empty cache',
    ['the machine', 's'],
    [[`${SLOWDOWN} times slower`, seconds.toFixed(2)]],
  );
};
