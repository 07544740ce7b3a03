import { uniqueEmail } from '@platform/shared/testing/builders';
import { codeIn, createInboxClient } from '@platform/shared/testing/inbox';
import { totpCode } from '@platform/shared/testing/totp';
import { expect } from 'chai';
import { browserTest, type TestBrowser } from './support/browser-test.ts';
import type { createFrontendPage } from './support/frontend-page.ts';
import { openSignedInTab, openTab, REJECTED } from './support/frontend-tab.ts';
import { getPlatform } from './support/platform.ts';

type Frontend = ReturnType<typeof createFrontendPage>;

const SECOND_STEP = 'Second step: totp, recovery-code';

/** Sets up an authenticator app, and thereby uses up the code of the current time step. */
const setUpApp = async (frontend: Frontend, currentPassword: string) => {
  const { secret } = await frontend.call<{ secret: string }>('account.setUpTotp', { currentPassword });
  const recoveryCodes = await frontend.call<string[]>('account.confirmTotp', totpCode(secret));
  expect(recoveryCodes).to.have.length(10);
  const [first = '', second = '', third = ''] = recoveryCodes;
  return { secret, recoveryCodes: [first, second, third] as const };
};

/** Opens a tab, signs in as a new customer and sets up an authenticator app. */
const openWithApp = async (browser: TestBrowser) => {
  const tab = await openSignedInTab(browser);
  return { ...tab, ...(await setUpApp(tab.frontend, tab.password)) };
};

const readMethods = async (frontend: Frontend): Promise<string[] | undefined> => {
  const sessions = await frontend.call<{ isCurrent: boolean; methods: string[] }[]>(
    '((client) => client.listSessions())',
  );
  return sessions.find(({ isCurrent }) => isCurrent)?.methods;
};

describe('second factor in a frontend', () => {
  it(
    'signs in with the code of the app and with a recovery code, and removes the app',
    browserTest(async (openBrowser) => {
      const browser = await openBrowser();
      browser.allowErrors(REJECTED);
      const { frontend, account, confirmation, secret, recoveryCodes } = await openWithApp(browser);
      expect(await frontend.call('account.getSecondFactor')).to.include({ recoveryCodesLeft: 10 });

      await frontend.signOut();
      expect(await frontend.signIn(account)).to.equal(SECOND_STEP);
      await frontend.expectSession('Signed out: SIGNED_OUT');
      expect(await frontend.continueWith(totpCode(secret)), 'a used code').to.equal('SECOND_FACTOR_INVALID');
      expect(await frontend.continueWith(totpCode(secret, 1))).to.equal(account.email);
      expect(await readMethods(frontend)).to.have.members(['password', 'totp']);

      await frontend.signOut();
      expect(await frontend.signIn(account)).to.equal(SECOND_STEP);
      expect(await frontend.continueWith(recoveryCodes[0])).to.equal(account.email);
      expect(await readMethods(frontend)).to.have.members(['password', 'recovery-code']);
      expect(await frontend.call('account.getSecondFactor')).to.include({ recoveryCodesLeft: 9 });

      const removal = { ...confirmation, recoveryCode: recoveryCodes[0] };
      expect(await frontend.failedCall('account.removeTotp', removal)).to.equal('SECOND_FACTOR_INVALID');
      await frontend.call('account.removeTotp', { ...confirmation, recoveryCode: recoveryCodes[1] });
      await frontend.signOut();
      expect(await frontend.signIn(account)).to.equal(account.email);
    }),
  );

  it(
    'completes the second step in two tabs that have the same session',
    browserTest(async (openBrowser) => {
      const browser = await openBrowser();
      browser.allowErrors(REJECTED);
      const { frontend: first, account, secret, recoveryCodes } = await openWithApp(browser);
      await first.signOut();
      const { frontend: second } = await openTab(browser);
      for (const tab of [first, second]) expect(await tab.signIn(account)).to.equal(SECOND_STEP);

      expect(await first.continueWith(totpCode(secret, 1))).to.equal(account.email);
      await second.expectSession(`Signed in as ${account.email}`);
      expect(await second.currentUser()).to.equal(account.email);
      expect(await second.continueWith(recoveryCodes[0])).to.equal(account.email);
      for (const tab of [first, second]) expect(await tab.currentUser()).to.equal(account.email);
      expect(await first.call<object[]>('((client) => client.listSessions())')).to.have.length(1);
    }),
  );
});

describe('own account in a frontend', () => {
  it(
    'changes the e-mail with the code of the mail, in all tabs',
    browserTest(async (openBrowser) => {
      const browser = await openBrowser();
      browser.allowErrors(REJECTED);
      const { frontend, email, password, confirmation } = await openSignedInTab(browser);
      const { frontend: second } = await openTab(browser);
      await second.expectSession(`Signed in as ${email}`);
      const newEmail = uniqueEmail();
      await frontend.call('account.changeEmail', { newEmail, ...confirmation });
      const inbox = createInboxClient(getPlatform().inboxUrl);
      const code = codeIn(await inbox.untilMail(newEmail, ''));
      await frontend.expectSession(`Signed in as ${email}`);

      expect(await frontend.call('account.confirmEmailChange', code)).to.include({ email: newEmail });
      for (const tab of [frontend, second]) await tab.expectSession(`Signed in as ${newEmail}`);
      await frontend.signOut();
      expect(await frontend.signIn({ email, password })).to.equal('INVALID_CREDENTIALS');
      expect(await frontend.signIn({ email: newEmail, password })).to.equal(newEmail);
    }),
  );

  it(
    'is deleted with the password and a factor, which signs out all tabs',
    browserTest(async (openBrowser) => {
      const browser = await openBrowser();
      browser.allowErrors(REJECTED);
      const { frontend, account, confirmation, recoveryCodes } = await openWithApp(browser);
      const { frontend: second, page } = await openTab(browser);
      await second.expectSession(`Signed in as ${account.email}`);
      expect(await frontend.call('account.exportAccount')).to.have.nested.property(
        'user.email',
        account.email,
      );

      expect(await frontend.failedCall('account.deleteAccount', confirmation)).to.equal('FACTOR_REQUIRED');
      await frontend.expectSession(`Signed in as ${account.email}`);
      await frontend.call('account.deleteAccount', { ...confirmation, recoveryCode: recoveryCodes[0] });
      for (const tab of [frontend, second]) await tab.expectSession('Signed out: SIGNED_OUT');
      expect(await browser.context.cookies()).to.deep.equal([]);
      expect(await page.evaluate('JSON.stringify(localStorage)')).not.to.include(account.email);
      expect(await second.signIn(account)).to.equal('INVALID_CREDENTIALS');
    }),
  );
});
