import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { browserTest } from '../support/browser-test.ts';
import { inspectPage, SCHEMES } from '../support/inspect-page.ts';
import {
  chooseInAccountMenu,
  ENGLISH,
  GERMAN,
  openConsole,
  openSignedIn,
  readPolicyViolations,
} from './console-tab.ts';

const open = (name: string, dialog: string) => async (page: Page) => {
  await page.getByText('This device').waitFor();
  await page.getByRole('button', { name, exact: true }).click();
  await page.getByRole('dialog', { name: dialog }).waitFor();
};

/** Everything that an operator sees: `prepare` waits until it is complete. */
const SCREENS: Record<string, { path: string; prepare: (page: Page) => Promise<unknown> }> = {
  workspace: { path: '', prepare: (page) => page.getByText('User id').waitFor() },
  'own account': { path: 'your-account', prepare: (page) => page.getByText('This device').waitFor() },
  'change of the password': { path: 'your-account', prepare: open('Change password', 'Change password') },
  'change of the address': {
    path: 'your-account',
    prepare: open('Change your email', 'Change your email'),
  },
  'set-up of the app': {
    path: 'your-account',
    prepare: open('Set up an authenticator app', 'Set up an authenticator app'),
  },
  'new passkey': { path: 'your-account', prepare: open('Add a passkey', 'Add a passkey') },
  'missing page': { path: 'missing', prepare: (page) => page.getByText('mistyped').waitFor() },
};

const inspect = (page: Page, name: string): Promise<void> => inspectPage(page, `console ${name}`);

describe('appearance of the console', () => {
  for (const colorScheme of SCHEMES) {
    it(
      `has no axe finding and no overflow: sign-in, ${colorScheme}`,
      browserTest(async (openBrowser) => {
        const page = await openConsole(await openBrowser({ ...ENGLISH, colorScheme }));
        await page.getByRole('button', { name: 'Continue with Company' }).waitFor();
        await inspect(page, `sign-in ${colorScheme}`);
        await page.getByRole('button', { name: 'Sign in', exact: true }).click();
        await inspect(page, `sign-in with errors ${colorScheme}`);
        await page.getByRole('button', { name: 'Forgot password?' }).click();
        await inspect(page, `forgotten password ${colorScheme}`);
        expect(await readPolicyViolations(page)).to.deep.equal([]);
      }),
    );

    it(
      `has no axe finding and no overflow: signed in, ${colorScheme}`,
      browserTest(async (openBrowser) => {
        const page = await openSignedIn(openBrowser, 'OPERATOR', { options: { ...ENGLISH, colorScheme } });
        await page.getByText('User id').waitFor();
        for (const [name, { path, prepare }] of Object.entries(SCREENS)) {
          await page.setViewportSize({ width: 1280, height: 900 });
          await page.goto(new URL(`/console/${path}`, page.url()).href);
          await prepare(page);
          await inspect(page, `${name} ${colorScheme}`);
        }
        expect(await readPolicyViolations(page)).to.deep.equal([]);
      }),
    );
  }

  it(
    'has the same in German at 320 px, where words are longer',
    browserTest(async (openBrowser) => {
      const page = await openSignedIn(openBrowser, 'OPERATOR', {
        options: { ...GERMAN, viewport: { width: 320, height: 900 } },
      });
      await page.getByText('Benutzer-ID').waitFor();
      await inspect(page, 'workspace german');
      await page.goto(new URL('/console/your-account', page.url()).href);
      await page.getByText('Dieses Gerät').waitFor();
      await inspect(page, 'own account german');
    }),
  );

  it(
    'opens the menu below 820 px, and the shortcuts by a key that can be switched off',
    browserTest(async (openBrowser) => {
      const page = await openSignedIn(openBrowser, 'OPERATOR', {
        options: { ...ENGLISH, viewport: { width: 400, height: 800 } },
      });
      await page.getByText('User id').waitFor();
      const drawer = page.getByRole('dialog', { name: 'Menu' });
      await page.getByRole('button', { name: 'Menu' }).click();
      await inspect(page, 'drawer');
      await page.setViewportSize({ width: 400, height: 800 });
      await page.mouse.click(390, 400);
      await drawer.waitFor({ state: 'hidden' });
      await page.getByRole('button', { name: 'Menu' }).click();
      await chooseInAccountMenu(page, 'Your account');
      await page.getByText('This device').waitFor();
      await drawer.waitFor({ state: 'hidden' });

      await page.keyboard.press('?');
      const help = page.getByRole('dialog', { name: 'Shortcuts' });
      await help.waitFor();
      await inspect(page, 'shortcuts');
      await page.setViewportSize({ width: 400, height: 800 });
      await help.getByRole('checkbox').uncheck();
      await page.goBack();
      await help.waitFor({ state: 'hidden' });
      expect(page.url(), 'the back button closes the dialog only').to.match(/your-account$/);
      await page.keyboard.press('?');
      expect(await help.isVisible()).to.equal(false);
    }),
  );
});
