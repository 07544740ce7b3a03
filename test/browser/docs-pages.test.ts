import { uniqueEmail } from '@platform/shared/testing/builders';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { browsing, DESKTOP, PHONE, type Visitor } from './support/browser-tests.ts';
import { onDocsPage } from './support/docs-page.ts';
import { platform } from './support/platform.ts';
import { saveScreenshot } from './support/screenshots.ts';

const AUTHENTICATION = '/api';
const BACK_OFFICE = '/api/v1/docs';
/** The demo accounts' one. */
const password = 'Password123!';
const EMPLOYEE = { email: 'employee@example.com', password };
const ADMINISTRATOR = { email: 'admin@example.com', password };
/** Chromium says so of every answer from 400 on. */
const REFUSED = /Failed to load resource: the server responded with a status of 401/;

const SIZES = [
  ['a desktop', DESKTOP],
  ['a phone', PHONE],
] as const;

describe('The pages of documentation', () => {
  const open = async ({ open: openPage }: Visitor, path: string) => {
    const page = await openPage(platform().gatewayUrl + path);
    const docs = onDocsPage(page);
    await docs.ready();
    return { page, docs };
  };
  /** The other page opens in a tab of its own. */
  const follow = async (page: Page, link: string) => {
    const opened = page.context().waitForEvent('page');
    await page.locator('.info').getByRole('link', { name: link }).click();
    const other = await opened;
    await onDocsPage(other).ready();
    return { page: other, docs: onDocsPage(other) };
  };

  for (const [size, options] of SIZES) {
    it(
      `When a person signs in on ${size}, then nothing else is to be typed: the token, the device and the session are filled in`,
      browsing(async (visit) => {
        const { page, docs } = await open(await visit(options), AUTHENTICATION);
        expect(await page.title()).to.equal('Authentication');
        await saveScreenshot(page, `authentication on ${size}`);

        const signedIn = await docs.execute('employeeSignIn', EMPLOYEE);
        expect(signedIn.status, signedIn.text).to.equal(200);
        await docs.expectNoOverflow();
        await saveScreenshot(page, `signed in on ${size}`);
        expect(await docs.isLocked('employeeMe')).to.equal(true);
        expect(await docs.isLocked('customerMe')).to.equal(false);

        expect(await docs.field('employeeMe', 'X-Fingerprint')).to.match(/^docs-page-\w+$/);
        expect(signedIn.text).to.include(await docs.field('employeeMe', 'X-Session-Id'));
        const me = await docs.execute('employeeMe');
        expect(me.status, me.text).to.equal(200);
        expect(me.text).to.include(EMPLOYEE.email);
        expect((await docs.execute('universalMe')).text).to.include('"kind": "employee"');
        await docs.expectNoOverflow();
        await saveScreenshot(page, `who am I on ${size}`);
      }),
    );

    it(
      `When an administrator has signed in on ${size} and follows the link to the back-office, then the token is there, after a reload too`,
      browsing(async (visit) => {
        const { page, docs } = await open(await visit(options), AUTHENTICATION);
        expect((await docs.execute('administratorSignIn', ADMINISTRATOR)).status).to.equal(200);

        const office = await follow(page, 'the page of the back-office');
        expect(await office.page.title()).to.equal('Back-office');
        await saveScreenshot(office.page, `back-office on ${size}`);
        expect((await office.docs.execute('administratorMe')).text).to.include(ADMINISTRATOR.email);

        await office.page.reload();
        await office.docs.ready();
        expect((await office.docs.execute('administratorMe')).status).to.equal(200);
        const users = await office.docs.execute('listUsers');
        expect(users.status, users.text).to.equal(200);
        await office.docs.expectNoOverflow();
        await saveScreenshot(office.page, `users on ${size}`);

        const back = await follow(office.page, 'the page of authentication');
        expect(await back.docs.isLocked('administratorMe')).to.equal(true);
      }),
    );

    it(
      `When the authorise button is pressed on ${size}, then a token can be given by hand, and is there after a reload`,
      browsing(async (visit) => {
        const visitor = await visit(options);
        const { docs: authentication } = await open(visitor, AUTHENTICATION);
        const signedIn = await authentication.execute('administratorSignIn', ADMINISTRATOR);
        const token = /"token": "([^"]+)"/.exec(signedIn.text)?.[1] ?? '';
        await visitor.context.clearCookies();

        const { page, docs } = await open(await visit(options), BACK_OFFICE);
        const dialog = await docs.openAuthorization();
        expect(await dialog.locator('.auth-container h4 code').allInnerTexts()).to.deep.equal([
          'jwt-admin-access',
        ]);
        await saveScreenshot(page, `authorise on ${size}`);
        await dialog.locator('input').fill(token);
        await dialog.getByRole('button', { name: 'Apply credentials' }).click();
        await dialog.locator('.btn-done').click();
        await page.reload();
        await docs.ready();
        expect((await docs.execute('currentAdministrator')).text).to.include(ADMINISTRATOR.email);
      }),
    );
  }

  for (const path of [AUTHENTICATION, BACK_OFFICE])
    it(
      `When every operation of ${path} is opened on a phone, then each can be executed and none is wider than the screen`,
      browsing(async (visit) => {
        const { docs } = await open(await visit(PHONE), path);
        const ids = await docs.operationIds();
        expect(ids).to.have.length.of.at.least(15);
        for (const id of ids) {
          await docs.expand(id);
          await docs.expectNoOverflow(id);
          await docs.collapse(id);
        }
      }),
    );

  it(
    'When the refresh is executed, then the browser sends its cookie and the new token takes the place of the old one',
    browsing(async (visit) => {
      const { docs } = await open(await visit(), AUTHENTICATION);
      const signedIn = await docs.execute('employeeSignIn', EMPLOYEE);
      const refreshed = await docs.execute('employeeRefreshToken');
      expect(refreshed.status, refreshed.text).to.equal(200);
      const [first, second] = [signedIn, refreshed].map(({ text }) => /"token": "([^"]+)"/.exec(text)?.[1]);
      expect(second).to.be.a('string').that.does.not.equal(first);
      // The refresh ended the first token, so that it is the second one that is accepted here.
      expect((await docs.execute('employeeMe')).status).to.equal(200);
    }),
  );

  it(
    'When the sign-out is executed, then the token is taken back, in the tab with the other page too',
    browsing(async (visit) => {
      const visitor = await visit();
      const { docs } = await open(visitor, AUTHENTICATION);
      const { docs: office } = await open(visitor, BACK_OFFICE);
      expect((await docs.execute('administratorSignIn', ADMINISTRATOR)).status).to.equal(200);
      expect((await office.execute('administratorMe')).status).to.equal(200);

      expect((await docs.execute('administratorSignOut')).status).to.equal(204);
      expect(await docs.isLocked('administratorMe')).to.equal(false);
      visitor.expect(REFUSED);
      const refused = await office.execute('administratorMe');
      expect(refused.status).to.equal(401);
      expect(refused.text).to.include('TOKEN_INVALID');
      expect(await office.isLocked('administratorMe')).to.equal(false);
    }),
  );

  it(
    'When a page is opened again, then the device keeps its name and the session its id, each kind its own',
    browsing(async (visit) => {
      const visitor = await visit();
      const { docs } = await open(visitor, AUTHENTICATION);
      await docs.execute('employeeSignIn', EMPLOYEE);
      const device = await docs.field('employeeMe', 'X-Fingerprint');
      const session = await docs.field('employeeRefreshToken', 'X-Session-Id');
      const again = await open(visitor, AUTHENTICATION);
      expect(await again.docs.field('employeeSignIn', 'X-Fingerprint')).to.equal(device);
      expect(await again.docs.field('employeeRefreshToken', 'X-Session-Id')).to.equal(session);
      expect(await again.docs.field('customerRefreshToken', 'X-Session-Id')).to.equal('');
    }),
  );

  it(
    'When a new person signs up on the page, then the examples need no other change than the e-mail',
    browsing(async (visit) => {
      const { docs } = await open(await visit(), AUTHENTICATION);
      const email = uniqueEmail();
      for (const [id, status] of [
        ['employeeSignUp', 201],
        ['employeeSignIn', 200],
      ] as const)
        expect((await docs.execute(id, { ...(await docs.body(id)), email })).status).to.equal(status);
      expect((await docs.execute('employeeVerificationEmailCheck')).text).to.include('"verified": false');
    }),
  );
});
