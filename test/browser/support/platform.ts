import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { listenLocally } from '@platform/shared/testing/local-server';
import { startStack } from '@platform/shared/testing/stack';
import type { Browser } from 'playwright-core';
import { startChromium } from './chromium.ts';
import { startFrontend } from './frontend-server.ts';

/** A page loads in less time, and a test can wait for the expiry. */
export const ACCESS_SECONDS = 4;
export const REFRESH_SECONDS = 7_200;
/** The only password that the platform knows from a data breach. */
export const BREACHED_PASSWORD = 'correct horse breached';

/** A range API of breached passwords, which has one password in every range. */
const startBreachedPasswords = () => {
  const hash = createHash('sha1').update(BREACHED_PASSWORD).digest('hex');
  return listenLocally(createServer((_req, res) => res.end(`${hash.slice(5)}:1`)));
};

type Platform = {
  browser: Browser;
  gatewayUrl: string;
  inboxUrl: string;
  /** The provider `company` of the stack. */
  oidcIssuer: string;
  databaseUrl: string;
  /** Origins of the frontend: CORS_ORIGINS names `allowed` (the gateway's site) and `otherSite`, and neither foreign one. */
  origins: { allowed: string; otherSite: string; foreign: string; foreignSite: string };
};

let running: { platform: Platform; stop: () => Promise<void> } | undefined;

/** Starts the frontends first, since CORS_ORIGINS must name them; they read the gateway's URL at each page load. */
export const startPlatform = async (): Promise<void> => {
  const closers: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (const close of closers.reverse()) await close();
  };
  try {
    let gatewayUrl = '';
    const allowed = await startFrontend(() => gatewayUrl);
    closers.push(allowed.close);
    const foreign = await startFrontend(() => gatewayUrl);
    closers.push(foreign.close);
    const breachedPasswords = await startBreachedPasswords();
    closers.push(breachedPasswords.close);
    const origins = {
      allowed: `http://127.0.0.1:${allowed.port}`,
      otherSite: `http://localhost:${allowed.port}`,
      foreign: `http://127.0.0.1:${foreign.port}`,
      foreignSite: `http://localhost:${foreign.port}`,
    };
    const { stack, stop: stopStack } = await startStack({
      SEED_DEMO: '',
      CORS_ORIGINS: `${origins.allowed},${origins.otherSite}`,
      BREACHED_PASSWORDS_URL: `http://127.0.0.1:${breachedPasswords.port}`,
      JWT_CUSTOMER_ACCESS_EXPIRES_IN: String(ACCESS_SECONDS),
      JWT_CUSTOMER_REFRESH_EXPIRES_IN: String(REFRESH_SECONDS),
    });
    closers.push(stopStack);
    gatewayUrl = stack.gatewayUrl;
    const browser = await startChromium();
    closers.push(() => browser.close());
    const { inboxUrl, oidcIssuer, databaseUrl } = stack;
    running = {
      platform: { browser, gatewayUrl, inboxUrl, oidcIssuer: oidcIssuer ?? '', databaseUrl, origins },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
};

export const stopPlatform = async (): Promise<void> => running?.stop();

export const getPlatform = (): Platform => {
  if (running === undefined) throw new Error('The platform is not running; fixtures.ts starts it.');
  return running.platform;
};
