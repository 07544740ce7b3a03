import { ADMINISTRATOR, createAuthClient } from '@platform/shared/testing/auth-client';
import { uniqueEmail } from '@platform/shared/testing/builders';
import { setProof } from '@platform/shared/testing/recent-proof';
import { totpCode } from '@platform/shared/testing/totp';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { findAllViolations } from '../support/axe.ts';
import { browserTest } from '../support/browser-test.ts';
import { getPlatform } from '../support/platform.ts';
import { addVirtualAuthenticator } from '../support/virtual-authenticator.ts';
import { actionsOf, createCustomer } from './back-office-records.ts';
import {
  chooseAction,
  createColleague,
  GERMAN,
  openSignedIn,
  type Person,
  REJECTED,
  readPolicyViolations,
  waitForHeading,
} from './console-tab.ts';

const forgetProof = ({ id }: Person) => setProof(getPlatform().databaseUrl, { userId: id });

const dialogOf = (page: Page, name: string) => page.getByRole('dialog', { name });
const proofDialog = (page: Page) => dialogOf(page, 'Confirm that it is you');

describe('recent proof in the console', () => {
  it(
    'asks for the password by keyboard alone, and the deletion goes on with what was typed',
    browserTest(async (openBrowser) => {
      const customer = await createCustomer();
      const person = await createColleague('ADMIN');
      const page = await openSignedIn(openBrowser, person, {
        path: `users/${customer.id}`,
        allows: [REJECTED],
      });
      await waitForHeading(page, customer.name);
      await forgetProof(person);
      await chooseAction(page, 'Delete the account …');
      const dialog = dialogOf(page, `Delete the account of ${customer.name}?`);
      const address = dialog.getByLabel(`Type ${customer.email} to confirm`);
      await address.fill(customer.email);
      await page.keyboard.press('Enter');

      const proof = proofDialog(page);
      await proof.locator('input[name=currentPassword]:focus').waitFor();
      await page.keyboard.press('Escape');
      await proof.waitFor({ state: 'detached' });
      expect(await address.inputValue(), 'after the cancel').to.equal(customer.email);
      expect(await dialog.getByRole('alert').allInnerTexts()).to.satisfy((texts: string[]) =>
        texts.every((text) => text === ''),
      );
      expect(await actionsOf(customer.id)).not.to.include('ACCOUNT_DELETED');

      await address.press('Enter');
      await proof.locator('input[name=currentPassword]:focus').waitFor();
      await page.keyboard.type('Wrong horse 1');
      await page.keyboard.press('Enter');
      await proof.getByText('The current password is wrong.').waitFor();
      await proof.locator('input[name=currentPassword]').fill(person.password);
      await page.keyboard.press('Enter');
      await waitForHeading(page, 'A deleted user');
      expect(await actionsOf(customer.id)).to.include('ACCOUNT_DELETED');
      expect(await readPolicyViolations(page)).to.deep.equal([]);
    }),
  );

  it(
    'asks for the password and the code of the app in German before an invitation, and not before the next',
    browserTest(async (openBrowser) => {
      const person = await createColleague('ADMIN');
      const client = createAuthClient(getPlatform().gatewayUrl, ADMINISTRATOR);
      const { secret, recoveryCodes } = await client.enableTotp(await client.openDevice(person));
      const page = await openSignedIn(openBrowser, person, {
        options: GERMAN,
        path: 'invitations',
        allows: [REJECTED],
      });
      await page.getByRole('button', { name: 'Wiederherstellungscode verwenden' }).click();
      await page.locator('input[name=recoveryCode]').fill(recoveryCodes[0] ?? '');
      await page.keyboard.press('Enter');
      await waitForHeading(page, 'Kollegen');
      await forgetProof(person);
      const invite = async (email: string) => {
        await page.getByRole('button', { name: 'Kollegen einladen' }).click();
        await page.getByLabel('E-Mail', { exact: true }).fill(email);
        await page.getByRole('button', { name: 'Einladung senden' }).click();
      };
      const said = (email: string) =>
        page.getByRole('status').getByText(`${email} ist eingeladen.`).waitFor();
      const [first, second] = [uniqueEmail(), uniqueEmail()];
      await invite(first);
      const proof = dialogOf(page, 'Bestätigen Sie, dass Sie es sind');
      await proof.locator('input[name=currentPassword]').fill(person.password);
      await proof.locator('input[name=totpCode]').fill(totpCode(secret, 1));
      await proof.getByRole('button', { name: 'Bestätigen', exact: true }).click();
      await said(first);
      await invite(second);
      await said(second);
    }),
  );

  it(
    'is given with a passkey alone',
    browserTest(async (openBrowser) => {
      const customer = await createCustomer({ email: `proof-${Date.now()}@example.com` });
      const person = await createColleague('ADMIN');
      const page = await openSignedIn(openBrowser, person, { path: 'your-account', allows: [REJECTED] });
      await addVirtualAuthenticator(page);
      await page.getByRole('button', { name: 'Add a passkey' }).click();
      const dialog = dialogOf(page, 'Add a passkey');
      await dialog.getByLabel('Name').fill('Laptop');
      await dialog.getByLabel('Current password', { exact: true }).fill(person.password);
      await dialog.getByRole('button', { name: 'Add a passkey' }).click();
      await page.getByRole('status').getByText('The passkey “Laptop” was added.').waitFor();
      await forgetProof(person);
      await page.goto(new URL(`/console/users/${customer.id}`, page.url()).href);
      await waitForHeading(page, customer.name);
      await chooseAction(page, 'Give a role …');
      await page.locator('dialog[open] select[name=role]').selectOption('ARBITER');
      await page.getByRole('button', { name: 'Give role' }).click();
      const usePasskey = proofDialog(page).getByRole('button', { name: 'Use your passkey' });
      await usePasskey.waitFor();
      expect(await findAllViolations(page)).to.deep.equal([]);
      await usePasskey.click();
      await page.getByText(`${customer.name} has the role Arbiter now.`).waitFor();
      expect(await actionsOf(customer.id)).to.include('ROLE_ASSIGNED');
    }),
  );
});
