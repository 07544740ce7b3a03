import type { Label, Person } from '@platform/test-bench';
import type { Page } from '@playwright/test';

export const signIn = async (
  page: Page,
  { gatewayUrl }: Label,
  person: Person,
  password = person.password,
) => {
  await page.goto(`${gatewayUrl}/account/customer/sign-in`);
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(password ?? '');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
};
