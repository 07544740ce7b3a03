import { totpCode } from '@platform/test-bench';
import { expect, test } from '@platform/test-bench/playwright';
import { addAuthenticator } from './authenticator.ts';
import { signIn } from './sign-in-page.ts';

test.describe('a customer with an app', () => {
  test.use({ personOptions: { with: ['app'] } });

  test('signs in with the password and the code of the app', async ({ page, bench, person }) => {
    await signIn(page, bench, person);
    await expect(page.getByRole('heading', { name: 'Verify it’s you' })).toBeVisible();
    await page.getByLabel('Code from your app').fill(totpCode(person.app?.secret ?? ''));
    await expect(page.getByRole('heading', { name: 'Your account' })).toBeVisible();
  });
});

test.describe('a customer with a passkey', () => {
  test.use({ personOptions: { with: ['passkey'] } });

  test('signs in without a password', async ({ page, bench, person }) => {
    const authenticator = await addAuthenticator(page, person);
    await page.goto(`${bench.gatewayUrl}/account/customer/sign-in`);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await authenticator.touch();
    await expect(page.getByText(person.email).first()).toBeVisible();
  });
});
