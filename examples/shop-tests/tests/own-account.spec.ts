import { expect, test } from '@platform/test-bench/playwright';
import { signInAdministrator } from './administrator.ts';

test.use({ signedIn: true });

test.beforeEach(async ({ page, bench }) => {
  await page.goto(`${bench.gatewayUrl}/account/customer/`);
  await page.getByRole('button', { name: 'Edit profile' }).click();
  await page.getByLabel('First name').fill('Ada');
});

test('says that a response was lost, and saves the profile when asked again', async ({ page, bench }) => {
  const fault = await bench.fault({ operation: 'customerProfileChange', times: 1, answer: 'lost-after' });
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('No answer. It is not known whether this was done.')).toBeVisible();
  expect((await fault.hits()).hits).toBe(1);
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Profile saved.')).toBeVisible();
});

test('tells a person who was blocked while typing', async ({ page, bench, person }) => {
  const administrator = await signInAdministrator(bench);
  await administrator.PATCH('/users/{id}/block', { params: { path: { id: person.id } } });
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByRole('heading', { name: 'Your account is blocked' })).toBeVisible();
});
