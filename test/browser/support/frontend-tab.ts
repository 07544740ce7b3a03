import { type AccountKind, CUSTOMER, createAuthClient } from '@platform/shared/testing/auth-client';
import type { TestAccount } from '@platform/shared/testing/device';
import { verifyEmail } from '@platform/shared/testing/query-database';
import { expect } from 'chai';
import type { TestBrowser } from './browser-test.ts';
import { createFrontendPage } from './frontend-page.ts';
import { getPlatform } from './platform.ts';
import { addVirtualAuthenticator } from './virtual-authenticator.ts';

/** Chromium logs an error for every response with a status of 400 or above. */
export const REJECTED = /Failed to load resource: the server responded with a status of 4\d\d/;

/** Creates an account with a verified address, because second factors need one. */
export const createAccount = async (kind: AccountKind = CUSTOMER): Promise<TestAccount> => {
  const { gatewayUrl, databaseUrl } = getPlatform();
  const account = await createAuthClient(gatewayUrl, kind).createAccount();
  await verifyEmail(databaseUrl, account.userId);
  return account;
};

/**
 * Opens a tab of the frontend with a separate authenticator. It uses localhost, because browsers allow
 * passkeys there.
 */
export const openTab = async (browser: TestBrowser) => {
  const page = await browser.open(getPlatform().origins.otherSite);
  return { page, frontend: createFrontendPage(page), authenticator: await addVirtualAuthenticator(page) };
};

/** Opens a tab and signs in as a new customer. */
export const openSignedInTab = async (browser: TestBrowser) => {
  const account = await createAccount();
  const tab = await openTab(browser);
  expect(await tab.frontend.signIn(account)).to.equal(account.email);
  const { email, password } = account;
  return { ...tab, account, email, password, confirmation: { currentPassword: password } };
};
