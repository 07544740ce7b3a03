import { join } from 'node:path';
import { CUSTOMER, createAuthClient } from '@platform/shared/testing/auth-client';
import { createInboxClient } from '@platform/shared/testing/inbox';
import { startStack } from '@platform/shared/testing/stack';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { createTestBrowser } from '../browser/support/browser-test.ts';
import { startChromium } from '../browser/support/chromium.ts';
import { type FrontendProject, installRecipe } from './frontend-project.ts';
import { startStaticServer } from './static-server.ts';

type Site = {
  /** The project with the Vite recipes and its installed packages. */
  project: FrontendProject;
  /** The origin of the built recipes. */
  origin: string;
  gatewayUrl: string;
  databaseUrl: string;
  inbox: ReturnType<typeof createInboxClient>;
  createAccount: ReturnType<typeof createAuthClient>['createAccount'];
  browser: Browser;
};

let starting: Promise<Site> | undefined;

/**
 * The gateway starts before the build, because the build contains its URL, and CORS_ORIGINS names the origin
 * of the recipes.
 */
const startSite = async (): Promise<Site> => {
  const project = await installRecipe();
  const { origin } = await startStaticServer(join(project.directory, 'dist'));
  const { stack } = await startStack({
    CORS_ORIGINS: origin,
    // Next.js counts as the load balancer.
    TRUSTED_PROXY_HOPS: '1',
  });
  // Page and gateway have the same host, so that the refresh cookie is sent.
  const gatewayUrl = stack.gatewayUrl.replace('127.0.0.1', 'localhost');
  await project.write('react-query/.env.local', `VITE_GATEWAY_URL=${gatewayUrl}\n`);
  const browser = await startChromium();
  return {
    project,
    origin,
    gatewayUrl,
    databaseUrl: stack.databaseUrl,
    inbox: createInboxClient(stack.inboxUrl),
    createAccount: createAuthClient(stack.gatewayUrl, CUSTOMER).createAccount,
    browser,
  };
};

/** Starts the site for the first test that needs it. It stops at the end of the run. */
export const getSite = (): Promise<Site> => {
  starting ??= startSite();
  return starting;
};

type Visitor = { context: BrowserContext; open: (url: string) => Promise<Page>; errors: () => string[] };

/** Opens an empty browser. `errors` returns the console errors that no pattern allows. */
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
