import { PASSWORD, uniqueEmail } from '@platform/shared/testing/builders';
import { codeIn } from '@platform/shared/testing/inbox';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { inbox, openTab, pageUrl, signIn, waitForHeading } from '../console/console-tab.ts';
import { accountWordsOf } from '../page-words.ts';
import { browserTest } from '../support/browser-test.ts';
import { JOURNEYS, type Journey, OTHER_JOURNEYS } from './person.ts';

/** The default names of the accounts, and a part of the subject of the mail that says which one it is. */
const NAMES = {
  en: { customer: 'Customer account', employee: 'Employee account', wrongKind: 'another kind' },
  de: { customer: 'Kundenkonto', employee: 'Mitarbeiterkonto', wrongKind: 'andere Art' },
};

type Entrance = {
  page: Page;
  /** The pages, and those of the other kind in the same language. */
  here: Journey;
  other: Journey;
  email: string;
  texts: ReturnType<typeof accountWordsOf>;
};

const readEmail = (page: Page) => page.locator('input[name=email]').inputValue();

/** Each way begins on the sign-in page with the typed address. */
const WAYS = {
  password: async ({ page, email }: Entrance) => signIn(page, { email, password: PASSWORD }),
  'mailed code': async ({ page, email, texts }: Entrance) => {
    await page.locator('input[name=email]').fill(email);
    await page.getByRole('button', { name: texts.signingIn.emailCode }).click();
    await page.locator('input[name=code]').waitFor();
  },
  reset: async ({ page, email, texts }: Entrance) => {
    await page.locator('input[name=email]').fill(email);
    await page.getByRole('button', { name: texts.signingIn.forgotten }).click();
    await page.getByRole('button', { name: texts.signingIn.sendCode }).click();
    await page.locator('input[name=code]').waitFor();
  },
};
type Way = keyof typeof WAYS;

/** The account is one of these pages: it opens, with the code of the mail. */
const openOwn = async (way: Way, { page, here, email, texts }: Entrance): Promise<void> => {
  if (way !== 'password') {
    const code = codeIn(await inbox().untilMail(email, here.codeMail));
    await page.locator('input[name=code]').fill(code);
  }
  if (way === 'reset') {
    await page.locator('input[name=newPassword]').fill('A better horse 2');
    await page.getByRole('button', { name: texts.signingIn.setPassword }).click();
  }
};

/** The account is one of the other pages, to which a link of the page or of a mail leads. */
const openOther = async (way: Way, { page, other, email, texts }: Entrance): Promise<void> => {
  const names = NAMES[other.language];
  const name = other.kind.kind === 'customer' ? names.customer : names.employee;
  if (way === 'password') {
    const message = page.locator('[role=alert] .notice');
    await message.getByText(`${name}?`).waitFor();
    await message.getByRole('link', { name: texts.account.signInOther }).click();
    await page.waitForURL(`**${other.base}/sign-in`);
    expect(await readEmail(page)).to.equal(email);
    await page.locator('input[name=password]').fill(PASSWORD);
    await page.locator('form button[type=submit]').click();
    return;
  }
  await page.getByText(texts.signingIn.maybeNone).waitFor();
  const mail = await inbox().untilMail(email, names.wrongKind);
  expect(mail.text).to.include(name);
  const [link = ''] = /http\S+\/account\/\w+\/?/.exec(mail.text) ?? [];
  expect(new URL(link).pathname).to.equal(`${other.base}/`);
  await page.goto(pageUrl(new URL(link).pathname));
  await signIn(page, { email, password: PASSWORD });
};

/** There is no account: the page offers to create one, with the address. */
const createAccount = async (way: Way, { page, email, texts }: Entrance): Promise<void> => {
  await page.getByText(way === 'password' ? texts.signingIn.wrong : texts.signingIn.maybeNone).waitFor();
  await page.getByRole('link', { name: texts.account.createOne }).click();
  await waitForHeading(page, texts.account.title);
  expect(await readEmail(page)).to.equal(email);
  await page.locator('input[name=password]').fill(PASSWORD);
  await page.getByRole('button', { name: texts.account.signUp }).click();
  await waitForHeading(page, texts.account.verify);
  await page.getByRole('button', { name: texts.account.later }).click();
};

/** Whose address it is. */
const ADDRESSES = {
  'an account of these pages': {
    create: async ({ here }: Pick<Entrance, 'here' | 'other'>) => (await here.createPerson()).email,
    open: openOwn,
  },
  'an account of the other kind': {
    create: async ({ other }: Pick<Entrance, 'here' | 'other'>) => (await other.createPerson()).email,
    open: openOther,
  },
  'no account': { create: async () => uniqueEmail(), open: createAccount },
};
type Address = keyof typeof ADDRESSES;

const ALL = Object.keys(ADDRESSES) as Address[];
const [[, customerEnglish], [, employeeGerman]] = JOURNEYS;
const [[, customerGerman], [, employeeEnglish]] = OTHER_JOURNEYS;

describe('entrances of the account pages', () => {
  for (const [title, here, other, addresses] of [
    ['customers', customerEnglish, employeeEnglish, ALL],
    ['employees', employeeEnglish, customerEnglish, ALL],
    ['customers in German', customerGerman, employeeGerman, ['an account of the other kind']],
  ] as const)
    for (const address of addresses)
      for (const way of Object.keys(WAYS) as Way[])
        it(
          `lead with ${address} and a ${way} to a session: pages of ${title}`,
          browserTest(async (openBrowser) => {
            const texts = accountWordsOf(here.language);
            const email = await ADDRESSES[address].create({ here, other });
            const page = await openTab(openBrowser, here.options, `${here.base}/sign-in`);
            const entrance = { page, here, other, email, texts };
            await WAYS[way](entrance);
            await ADDRESSES[address].open(way, entrance);
            await waitForHeading(page, texts.own.yourAccount);
          }),
        );
});
