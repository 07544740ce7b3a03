import { join } from 'node:path';
import { CUSTOMER, createAuthClient } from '@platform/shared/testing/auth-client';
import { createInboxClient } from '@platform/shared/testing/inbox';
import { startStack } from '@platform/shared/testing/stack';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { createTestBrowser } from '../browser/support/browser-test.ts';
import { startChromium } from '../browser/support/chromium.ts';
import { type FrontendProject, installRecipe } from './frontend-project.ts';
import { startStaticServer } from './static-server.ts';

const ENVIRONMENT = '.env.local';

type Site = {
  /** The Vite recipes, installed. */
  project: FrontendProject;
  /** The built recipes have this origin. */
  origin: string;
  /** The same pages on `localhost`: browsers have no passkeys for an IP address. */
  passkeyOrigin: string;
  gatewayUrl: string;
  databaseUrl: string;
  inbox: ReturnType<typeof createInboxClient>;
  createAccount: ReturnType<typeof createAuthClient>['createAccount'];
  browser: Browser;
};

let starting: Promise<Site> | undefined;

/** CORS_ORIGINS names the origin of the recipes, and a build contains the gateway's URL: hence the order. */
const startSite = async (): Promise<Site> => {
  const project = await installRecipe();
  const { origin } = await startStaticServer(join(project.directory, 'dist'));
  const passkeyOrigin = origin.replace('127.0.0.1', 'localhost');
  const { stack } = await startStack({
    CORS_ORIGINS: `${origin},${passkeyOrigin}`,
    // The balancer in front of Next.js.
    TRUSTED_PROXY_HOPS: '1',
  });
  for (const recipe of ['react-query', 'reset-password', 'second-factor', 'provider'])
    await project.write(`${recipe}/${ENVIRONMENT}`, `VITE_GATEWAY_URL=${stack.gatewayUrl}\n`);
  const browser = await startChromium();
  return {
    project,
    origin,
    passkeyOrigin,
    gatewayUrl: stack.gatewayUrl,
    databaseUrl: stack.databaseUrl,
    inbox: createInboxClient(stack.inboxUrl),
    createAccount: createAuthClient(stack.gatewayUrl, CUSTOMER).createAccount,
    browser,
  };
};

/** Started by the first test that needs it; it ends with the run. */
export const getSite = (): Promise<Site> => {
  starting ??= startSite();
  return starting;
};

type Visitor = { context: BrowserContext; open: (url: string) => Promise<Page>; errors: () => string[] };

/** A visitor with an empty browser. `errors` returns the console errors that no pattern allows. */
export const openBrowser = async (...allowed: RegExp[]): Promise<Visitor> => {
  const { browser } = await getSite();
  const { context, open, allowErrors, unexpectedErrors } = await createTestBrowser({}, browser);
  allowErrors(...allowed);
  return { context, open, errors: unexpectedErrors };
};

type Credentials = { email: string; password: string };

/** Fills in the sign-in form of a recipe. */
export const signIn = async (page: Page, { email, password }: Credentials): Promise<void> => {
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { name: email }).waitFor();
};
