import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CUSTOMER, createAuthClient } from '@platform/shared/testing/auth-client';
import { createInboxClient } from '@platform/shared/testing/inbox';
import { runScript } from '@platform/shared/testing/process';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { findViolations } from './support/axe.ts';
import { browserTest } from './support/browser-test.ts';
import { createDocsPage } from './support/docs-page.ts';
import { getPlatform, startPlatform } from './support/platform.ts';

const SUBJECT = 'Your code to reset the password';
const EMAIL = 'customer@example.com';
const PREVIEW = join(tmpdir(), `mails-preview-${process.pid}.html`);

const onGateway = (path: string) => () => getPlatform().gatewayUrl + path;
const inbox = () => getPlatform().inboxUrl;
const providerSignIn = () => {
  const request = {
    client_id: 'platform',
    response_type: 'code',
    scope: 'openid',
    redirect_uri: 'http://localhost/',
  };
  const pkce = { code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' };
  return `${getPlatform().oidcIssuer}/auth?${new URLSearchParams({ ...request, ...pkce })}`;
};

const waitForGroups = (page: Page) => page.locator('.opblock-tag').first().waitFor();
const openOperation = (id: string) => async (page: Page) => {
  const docs = createDocsPage(page);
  await docs.ready();
  await docs.expand(id);
};
const openSchema = async (page: Page) => {
  await page.locator('section.models > h4 button').click();
  // The list has only the schemas near the part in sight, and this one is near its head.
  const schema = page
    .locator('section.models .json-schema-2020-12')
    .filter({ hasText: 'ErrorResponse' })
    .first();
  // It also expands the schemas inside of it.
  await schema.locator('.json-schema-2020-12-expand-deep-button').first().click();
  await page.locator('section.models .json-schema-2020-12-property').first().waitFor();
};
const openMail = async (page: Page) => {
  await page.locator('#mails').getByRole('button', { name: SUBJECT }).first().click();
  await page.locator('#html').waitFor();
  // The focus stays on the mail although the list is rendered again.
  expect(await page.evaluate('document.activeElement.textContent')).to.include(SUBJECT);
};
const showHtml = async (page: Page) => {
  const { html } = await createInboxClient(inbox()).untilMail(EMAIL, SUBJECT);
  await page.setContent(html);
};
const openText = async (page: Page) => {
  await openMail(page);
  await page.getByRole('button', { name: 'Text' }).click();
};

const PAGES: [name: string, url: () => string, prepare?: (page: Page) => Promise<unknown>][] = [
  ['start page', onGateway('/')],
  ['page of errors', onGateway('/api/errors.html')],
  ['authentication page', onGateway('/api/'), waitForGroups],
  ['authentication page with an operation open', onGateway('/api/'), openOperation('customerSignIn')],
  ['authentication page with a schema open', onGateway('/api/'), openSchema],
  ['back-office page', onGateway('/api/v1/docs/'), waitForGroups],
  ['back-office page with an operation open', onGateway('/api/v1/docs/'), openOperation('editProject')],
  ['back-office page with a schema open', onGateway('/api/v1/docs/'), openSchema],
  ['sign-in page of the OpenID provider', providerSignIn],
  ['inbox', inbox],
  ['inbox with a mail open', inbox, openMail],
  ['inbox with the text of a mail open', inbox, openText],
  ['HTML of a mail', () => 'about:blank', showHtml],
  ['preview of the mails', () => pathToFileURL(PREVIEW).href],
];

describe('accessibility', () => {
  before('send a mail, and write the preview of the mails', async () => {
    const { gatewayUrl } = await startPlatform();
    await createAuthClient(gatewayUrl, CUSTOMER).resetPasswordEmailCodeSend({ body: { email: EMAIL } });
    await createInboxClient(inbox()).untilMail(EMAIL, SUBJECT);
    await runScript('mailer-worker/testing/preview/run-mails-preview.ts', [PREVIEW], {});
  });
  after('remove the preview', () => rm(PREVIEW, { force: true }));

  for (const [name, url, prepare] of PAGES)
    for (const colorScheme of ['light', 'dark'] as const)
      it(
        `has no serious or critical axe finding: ${name}, ${colorScheme}`,
        browserTest(async (openBrowser) => {
          const { open } = await openBrowser({ colorScheme });
          const page = await open(url());
          await prepare?.(page);
          expect(await findViolations(page)).to.deep.equal([]);
        }),
      );
});
