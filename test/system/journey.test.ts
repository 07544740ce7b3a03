import { ACCOUNT_KINDS, createAuthClient } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail } from '@platform/shared/testing/builders';
import { expect } from 'chai';
import { createBrowser } from './simulated-browser.ts';
import { usePlatform } from './use-platform.ts';

describe('sessions through the gateway', () => {
  const platform = usePlatform();

  for (const [kind, auth] of [
    ['customer', '/customers/auth'],
    ['employee', '/employees/auth'],
  ] as const)
    it(`lets a new ${kind} sign up, sign in, open another tab, sign out and sign in again`, async () => {
      const browser = createBrowser(platform().gatewayUrl, kind);
      const [tab, email] = [browser.openTab(), uniqueEmail()];
      const { user, profile } = await tab.signUp({ email, password: PASSWORD, firstName: 'Ada' });
      const { session } = await tab.signIn({ email, password: PASSWORD });
      expect(await tab.GET(`${auth}/me`)).to.deep.equal({ user, profile, session });
      expect(await tab.GET('/auth/me')).to.deep.include({ kind, user, profile, session });

      const newTab = browser.openTab();
      expect((await newTab.GET(`${auth}/me`)).session.id).to.equal(session.id);
      expect((await tab.GET(`${auth}/me`)).session.id).to.equal(session.id);
      expect(browser.refreshes()).to.deep.equal([200]);

      await newTab.signOut();
      expect(browser.cookies.header()).to.equal(undefined);
      expect(tab.isSignedIn()).to.equal(false);

      const again = await tab.signIn({ email, password: PASSWORD });
      expect(again.session.id).to.equal(session.id);
      browser.close();
    });

  for (const kind of ACCOUNT_KINDS)
    it(`stores the address that the gateway saw in sessions of ${kind.plural}, not a forged one`, async () => {
      const client = createAuthClient(platform().gatewayUrl, kind);
      const { email, password } = await client.createAccount();
      const claimed = {
        'X-Forwarded-For': '203.0.113.7',
        'X-Real-IP': '203.0.113.7',
        Forwarded: 'for=203.0.113.7',
      };
      const { body } = await client.signIn({ email, password }, 'device', claimed);
      expect(body.session.ip).to.equal('127.0.0.1');
    });
});
