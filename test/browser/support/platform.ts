import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { listenLocally } from '@platform/shared/testing/local-server';
import { type StackFile, startStack } from '@platform/shared/testing/stack';
import type { Browser } from 'playwright-core';
import { startChromium } from './chromium.ts';
import { startFrontend } from './frontend-server.ts';
import { SERVICE_PATH, startService } from './service.ts';

/** Long enough for a page to load, and short enough for a test to wait for the expiry. */
export const ACCESS_SECONDS = 4;
export const REFRESH_SECONDS = 7_200;
/** The only password that the platform knows from a data breach. */
export const BREACHED_PASSWORD = 'correct horse breached';

/** Starts a range API of breached passwords, which has one password in every range. */
const startBreachedPasswords = () => {
  const hash = createHash('sha1').update(BREACHED_PASSWORD).digest('hex');
  return listenLocally(createServer((_req, res) => res.end(`${hash.slice(5)}:1`)));
};

type Platform = Pick<StackFile, 'authUrl' | 'adminUrl' | 'databaseUrl' | 'redisUrl' | 'pids'> & {
  browser: Browser;
  /** Contains the logs. */
  dataDir: string;
  /** The build of the pages. */
  pagesDir: string;
  gatewayUrl: string;
  inboxUrl: string;
  /** The provider `company` of the stack. */
  oidcIssuer: string;
  /** Another service behind the gateway. */
  service: Awaited<ReturnType<typeof startService>>;
  /**
   * Origins of the frontend. CORS_ORIGINS names `allowed` (on the site of the gateway) and `otherSite`, but
   * neither of the foreign ones.
   */
  origins: { allowed: string; otherSite: string; foreign: string; foreignSite: string };
};

export const SCREENSHOTS = join(import.meta.dirname, '../screenshots');

/**
 * Starts the frontends first, because CORS_ORIGINS must name them. They read the URL of the gateway at each
 * page load.
 */
const start = async (): Promise<Platform> => {
  await rm(SCREENSHOTS, { recursive: true, force: true });
  let gatewayUrl = '';
  const allowed = await startFrontend(() => gatewayUrl);
  const foreign = await startFrontend(() => gatewayUrl);
  const breachedPasswords = await startBreachedPasswords();
  const service = await startService();
  const origins = {
    allowed: `http://127.0.0.1:${allowed.port}`,
    otherSite: `http://localhost:${allowed.port}`,
    foreign: `http://127.0.0.1:${foreign.port}`,
    foreignSite: `http://localhost:${foreign.port}`,
  };
  const { stack, dataDir } = await startStack({
    SEED_DEMO: '',
    PAGES: 'on',
    SECOND_FACTOR_REQUIRED_FOR: 'ARBITER',
    CORS_ORIGINS: `${origins.allowed},${origins.otherSite}`,
    ACCOUNT_RETURN_ORIGINS: `${origins.allowed},${origins.otherSite}`,
    PRIVACY_URL: 'https://example.com/privacy',
    SERVICES: 'shop',
    SERVICE_SHOP_PATHS: SERVICE_PATH,
    SERVICE_SHOP_URLS: service.url,
    BREACHED_PASSWORDS_URL: `http://127.0.0.1:${breachedPasswords.port}`,
    JWT_CUSTOMER_ACCESS_EXPIRES_IN: String(ACCESS_SECONDS),
    JWT_CUSTOMER_REFRESH_EXPIRES_IN: String(REFRESH_SECONDS),
  });
  gatewayUrl = stack.gatewayUrl;
  const { authUrl, adminUrl, inboxUrl, oidcIssuer, databaseUrl, redisUrl, pids } = stack;
  const browser = await startChromium();
  return {
    browser,
    gatewayUrl,
    dataDir,
    pagesDir: join(dataDir, 'pages'),
    authUrl,
    adminUrl,
    inboxUrl,
    oidcIssuer: oidcIssuer ?? '',
    databaseUrl,
    redisUrl,
    pids,
    service,
    origins,
  };
};

let starting: Promise<Platform> | undefined;
let running: Platform | undefined;

/** Starts the platform for the first test that needs it. It stops at the end of the run. */
export const startPlatform = async (): Promise<Platform> => {
  starting ??= start();
  running = await starting;
  return running;
};

export const getPlatform = (): Platform => {
  if (running === undefined) throw new Error('The platform is not running: await startPlatform() first.');
  return running;
};
