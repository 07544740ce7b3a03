import { expect, test } from '@platform/test-bench/playwright';
import { signInAdministrator } from './administrator.ts';

test.use({ signedIn: true, personOptions: { kind: 'OPERATOR' } });

test('ends the session of an operator whose role is removed', async ({ page, bench, person }) => {
  const administrator = await signInAdministrator(bench);
  await page.goto(`${bench.gatewayUrl}/console/`);
  await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible();
  await administrator.DELETE('/users/{id}/platform-role', { params: { path: { id: person.id } } });
  await page.reload();
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
  await dialog.getByLabel('Password', { exact: true }).fill(person.password ?? '');
  await dialog.getByRole('button', { name: 'Sign in again' }).click();
  await expect(dialog.getByText('You no longer have a role here.')).toBeVisible();
});
