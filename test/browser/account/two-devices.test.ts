import { PASSWORD, uniqueEmail } from '@platform/shared/testing/builders';
import { codeIn } from '@platform/shared/testing/inbox';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { ENGLISH, inbox, openPage, pageUrl, REJECTED, waitForHeading } from '../console/console-tab.ts';
import { browserTest, type OpenBrowser, PHONE } from '../support/browser-test.ts';
import { getPlatform } from '../support/platform.ts';

const BASE = '/account/customer';

const DEVICES = {
  laptop: { options: ENGLISH, name: 'Chrome on Linux' },
  phone: { options: { ...PHONE, locale: 'en-GB' }, name: 'Safari on iOS' },
};
type Device = keyof typeof DEVICES;

/** The site on which the sign-up begins. */
const shopUrl = (): string => `${getPlatform().origins.otherSite}/returning`;
const untilShop = (page: Page): Promise<void> => page.waitForURL((url) => url.href.startsWith(shopUrl()));

const openDevice = async (openBrowser: OpenBrowser, device: Device) => {
  const browser = await openBrowser(DEVICES[device].options);
  browser.allowErrors(REJECTED);
  return browser;
};

/** Signs up at the shop with one device, and opens the link of the mail with another one. */
const begin = async (openBrowser: OpenBrowser, first: Device, second: Device) => {
  const email = uniqueEmail();
  const there = await openPage(
    await openDevice(openBrowser, first),
    `${BASE}/sign-up?returnTo=${encodeURIComponent(shopUrl())}`,
  );
  await there.locator('input[name=email]').fill(email);
  await there.locator('input[name=password]').fill(PASSWORD);
  await there.getByRole('button', { name: 'Create account' }).click();
  await waitForHeading(there, 'Verify your email');
  const mail = await inbox().untilMail(email, 'code');
  const [link = ''] = /http\S+#code=\S+/.exec(mail.text) ?? [];
  const { pathname, hash } = new URL(link);
  const here = await openPage(await openDevice(openBrowser, second), pathname + hash);
  await waitForHeading(here, 'Verify your email');
  expect(here.url(), 'code and address are in no address').to.match(/\/verify\?returnTo=[^#]+$/);
  const code = codeIn(mail);
  await here.getByText(`${code.slice(0, 3)} ${code.slice(3)}`, { exact: true }).waitFor();
  return { there, here, email, code };
};

/** On the device that has opened the link, which has filled in the address. */
const signIn = async (page: Page): Promise<void> => {
  await page.locator('input[name=password]').fill(PASSWORD);
  await page.locator('form button[type=submit]').click();
};

const expectSignedIn = async (...pages: Page[]): Promise<void> => {
  for (const page of pages) {
    await page.goto(pageUrl(`${BASE}/`));
    await waitForHeading(page, 'Your account');
  }
};

for (const [first, second] of [
  ['laptop', 'phone'],
  ['phone', 'laptop'],
] as const)
  describe(`sign-up on a ${first} whose mail is opened on a ${second}`, () => {
    it(
      'goes on by itself when the other device verifies the address, which names it; both end at the shop',
      browserTest(async (openBrowser) => {
        const { there, here, email } = await begin(openBrowser, first, second);
        await signIn(here);
        await here.getByRole('button', { name: 'Continue', exact: true }).click();
        await here.getByText(`“${DEVICES[first].name}” stays signed in`).waitFor();
        await untilShop(there);
        await here.getByRole('button', { name: 'Continue', exact: true }).click();
        await untilShop(here);
        await expectSignedIn(there, here);
        const mails = await inbox().mailsTo(email);
        expect(mails.filter(({ subject }) => subject.includes('code'))).to.have.length(1);
      }),
    );

    it(
      'takes the code that the other device shows large; both end at the shop',
      browserTest(async (openBrowser) => {
        const { there, here, code } = await begin(openBrowser, first, second);
        await there.locator('input[name=code]').fill(code);
        await untilShop(there);
        await signIn(here);
        await untilShop(here);
        await expectSignedIn(there, here);
      }),
    );
  });
