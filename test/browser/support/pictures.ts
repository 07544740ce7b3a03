import { join } from 'node:path';
import { ACCOUNT_KINDS, createAuthClient } from '@platform/shared/testing/auth-client';
import { createInboxClient } from '@platform/shared/testing/inbox';
import { send } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { ACCOUNT_PICTURES } from './account-pictures.ts';
import type { TestBrowser } from './browser-test.ts';
import { CONSOLE_PICTURES } from './console-pictures.ts';
import { createDocsPage } from './docs-page.ts';
import { getPlatform } from './platform.ts';

/** The password of the demo accounts. */
const PASSWORD = 'Password123!';
const CODE_SUBJECT = 'Your code to reset the password';

/** These options make dates and times look the same on every machine. */
export const PICTURE_OPTIONS: BrowserContextOptions = {
  viewport: { width: 1280, height: 800 },
  locale: 'en-GB',
  timezoneId: 'UTC',
};

const openDocs = async ({ open }: TestBrowser, path: string) => {
  const page = await open(getPlatform().gatewayUrl + path);
  const docs = createDocsPage(page);
  await docs.ready();
  return { page, docs };
};

/** Signs in and shows an operation with its response on the same page. */
const showDocsPage = async (browser: TestBrowser): Promise<Page> => {
  const { page, docs } = await openDocs(browser, '/api');
  await docs.execute('employeeSignIn', { email: 'employee@example.com', password: PASSWORD });
  await docs.collapse('employeeSignIn');
  const { text } = await docs.execute('universalMe');
  expect(text).to.include('"email": "employee@example.com"');
  // The command above the response contains a token.
  await page.evaluate("document.styleSheets[0].insertRule('.curl-command, .request-url { display: none }')");
  await page.evaluate(
    `document.querySelector('.opblock[id$="-universalMe"]').closest('.opblock-tag-section').scrollIntoView()`,
  );
  return page;
};

/** Shows the mails of a contact form and of the demo accounts. A mail with a code is open. */
const showInbox = async ({ open }: TestBrowser): Promise<Page> => {
  const { gatewayUrl, inboxUrl } = getPlatform();
  const inbox = createInboxClient(inboxUrl);
  const form = { name: 'Ada', email: 'ada@example.com', subject: 'Invoices', message: 'Where are they?' };
  await send(gatewayUrl, 'POST', '/api/v1/contact/support', { body: form });
  await inbox.untilMail('contact@example.com', 'support request');
  for (const kind of ACCOUNT_KINDS) {
    const email = `${kind.kind}@example.com`;
    await createAuthClient(gatewayUrl, kind).resetPasswordEmailCodeSend({ body: { email } });
    await inbox.untilMail(email, CODE_SUBJECT);
  }
  const page = await open(inboxUrl);
  await page.locator('#mails').getByRole('button', { name: CODE_SUBJECT }).first().click();
  await page
    .frameLocator('#html')
    .getByText(/^\d{6}$/)
    .waitFor();
  return page;
};

export const PICTURE_FOLDER = join(import.meta.dirname, '../../../docs/pictures');

/** Opens what the picture docs/pictures/<name>.png shows. */
export const PICTURES = {
  'docs-page': showDocsPage,
  inbox: showInbox,
  ...ACCOUNT_PICTURES,
  ...CONSOLE_PICTURES,
} as const;
