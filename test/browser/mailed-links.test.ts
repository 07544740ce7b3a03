import { CUSTOMER, createAuthClient } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail } from '@platform/shared/testing/builders';
import { createHttpClient } from '@platform/shared/testing/http-client';
import { expect } from 'chai';
import { readLog, SERVICES, waitForLogLine } from '../system/service-logs.ts';
import { callAs, createColleague, ENGLISH, inbox, pageUrl } from './console/console-tab.ts';
import { browserTest, type OpenBrowser } from './support/browser-test.ts';
import { getPlatform } from './support/platform.ts';

/** Has each kind of mail sent whose link has a fragment, and returns these links. */
const mailLinks = async (): Promise<URL[]> => {
  const client = createAuthClient(getPlatform().gatewayUrl, CUSTOMER);
  const email = `ada+${uniqueEmail()}`;
  await client.createAccount({ email });
  const device = await client.openDevice({ email, password: PASSWORD });
  await client.verificationEmailCode(device);
  await client.resetPasswordEmailCodeSend({ body: { email } });
  await client.signInEmailCodeSend({ body: { email } });
  const newPassword = 'Unmistakable horse 2';
  await client.resetPasswordMe({ ...device, body: { currentPassword: PASSWORD, newPassword } });
  const invited = uniqueEmail();
  const administrator = await createColleague('ADMIN');
  await callAs(administrator, 'POST', '/administrator/invitations', { email: invited, role: 'OPERATOR' });
  await inbox().untilMail(email, '', 4);
  await inbox().untilMail(invited, '');
  const mails = [...(await inbox().mailsTo(email)), ...(await inbox().mailsTo(invited))];
  return mails.flatMap(({ text }) => (text.match(/http:\S+#\S+/g) ?? []).map((link) => new URL(link)));
};

/** The code in the field of the linked page, or a text that it shows. */
const SHOWN: Record<string, 'code' | string> = {
  '/account/customer/verify': 'Sign in',
  '/account/customer/reset-password': 'code',
  '/account/customer/sign-in': 'code',
  '/account/customer/': 'Sign in',
  '/console/invitation': 'You are invited as Operator.',
};

const followInBrowser = async (openBrowser: OpenBrowser, { pathname, hash }: URL): Promise<void> => {
  const browser = await openBrowser(ENGLISH);
  const page = await browser.open(pageUrl(pathname + hash.replace('#', '%23')));
  const shown = SHOWN[pathname] ?? '';
  if (shown === 'code')
    expect(await page.locator('input[name=code]').inputValue()).to.equal(
      new URLSearchParams(hash.slice(1)).get('code'),
    );
  else await page.getByText(shown).first().waitFor();
};

describe('link of a mail in which a filter has written %23 for #', () => {
  it(
    'opens the page with its code in a browser and with curl, and no log has the code',
    browserTest(async (openBrowser) => {
      const links = await mailLinks();
      expect(links.map(({ pathname }) => pathname)).to.have.members(Object.keys(SHOWN));
      const client = createHttpClient(getPlatform().gatewayUrl);
      for (const { pathname, hash } of links) {
        const path = pathname + hash.replace('#', '%23');
        const { status, headers } = await client.send({ path, headers: { Accept: '*/*' } });
        expect({ status, ...headers }).to.include({ status: 302, location: pathname + hash });
        expect((await client.send({ path: pathname })).status).to.equal(200);
        const { 'x-request-id': id } = headers;
        const line = await waitForLogLine(getPlatform(), 'gateway', ({ requestId }) => requestId === id);
        expect(line['path']).to.equal(pathname);
      }
      for (const link of links) await followInBrowser(openBrowser, link);
      const logs = await Promise.all(SERVICES.map((service) => readLog(getPlatform(), service)));
      const text = JSON.stringify(logs);
      expect(text).not.to.match(/%23|code=/);
      for (const { hash } of links.filter(({ pathname }) => pathname === '/console/invitation'))
        expect(text).not.to.include(hash.slice(1));
    }),
  );
});
