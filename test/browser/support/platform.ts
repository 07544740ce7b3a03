import { startStack } from '@platform/shared/testing/stack';
import type { Browser } from 'playwright-core';
import { startChromium } from './chromium.ts';
import { startFrontend } from './frontend-server.ts';

/** Long enough for a page to load, short enough to be waited for. */
export const ACCESS_SECONDS = 4;
export const REFRESH_SECONDS = 7_200;

export type Platform = {
  browser: Browser;
  gatewayUrl: string;
  databaseUrl: string;
  /** Origins of the frontend: two that CORS_ORIGINS names, of the gateway's site and of another, and two that it does not. */
  origins: { allowed: string; otherSite: string; foreign: string; foreignSite: string };
};

let running: { platform: Platform; stop: () => Promise<void> } | undefined;

/** The pages first, since CORS_ORIGINS must name them; they ask for the gateway's address when they are opened. */
export const startPlatform = async (): Promise<void> => {
  const closers: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (const close of closers.reverse()) await close();
  };
  try {
    let gatewayUrl = '';
    const ours = await startFrontend(() => gatewayUrl);
    closers.push(ours.close);
    const theirs = await startFrontend(() => gatewayUrl);
    closers.push(theirs.close);
    const origins = {
      allowed: `http://127.0.0.1:${ours.port}`,
      otherSite: `http://localhost:${ours.port}`,
      foreign: `http://127.0.0.1:${theirs.port}`,
      foreignSite: `http://localhost:${theirs.port}`,
    };
    const { stack, stop: stopStack } = await startStack({
      SEED_DEMO: '',
      CORS_ORIGINS: `${origins.allowed},${origins.otherSite}`,
      JWT_CUSTOMER_ACCESS_EXPIRES_IN: String(ACCESS_SECONDS),
      JWT_CUSTOMER_REFRESH_EXPIRES_IN: String(REFRESH_SECONDS),
    });
    closers.push(stopStack);
    gatewayUrl = stack.gatewayUrl;
    const browser = await startChromium();
    closers.push(() => browser.close());
    running = { platform: { browser, gatewayUrl, databaseUrl: stack.databaseUrl, origins }, stop };
  } catch (error) {
    await stop();
    throw error;
  }
};

export const stopPlatform = async (): Promise<void> => running?.stop();

export const platform = (): Platform => {
  if (running === undefined) throw new Error('The platform does not run: see fixtures.ts');
  return running.platform;
};
