import { expect, test } from '@platform/test-bench/playwright';

test('signs up with the mailed code', async ({ page, bench }) => {
  const email = `ada-${bench.name}@example.com`;
  await page.goto(`${bench.gatewayUrl}/account/customer/sign-up`);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill('correct horse battery');
  await page.getByRole('button', { name: 'Create account' }).click();
  const { code } = await bench.mail({ to: email, mail: 'verification-code' });
  await page.getByLabel('6-digit code').fill(code ?? '');
  await expect(page.getByRole('heading', { name: 'Your account' })).toBeVisible();
});

test('rejects a code after 15 minutes, and sends another one', async ({ page, bench, person }) => {
  await page.clock.install();
  await page.goto(`${bench.gatewayUrl}/account/customer/sign-in`);
  await page.getByLabel('Email').fill(person.email);
  await page.getByRole('button', { name: 'Email me a code instead' }).click();
  const old = await bench.mail({ to: person.email, mail: 'sign-in-code' });

  await bench.age(person, 'PT15M1S');
  await page.clock.fastForward('15:01');
  await page.getByLabel('6-digit code').fill(old.code ?? '');
  await expect(page.getByText('That code is wrong or has expired.')).toBeVisible();

  await page.getByRole('button', { name: 'Send a new code' }).click();
  const { code } = await bench.mail({ to: person.email, mail: 'sign-in-code', after: old.id });
  await page.getByLabel('6-digit code').fill(code ?? '');
  await expect(page.getByRole('heading', { name: 'Your account' })).toBeVisible();
});
