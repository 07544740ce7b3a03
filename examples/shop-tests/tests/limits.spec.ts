import { createPlatformClient } from '@platform/client';
import { readTestBench } from '@platform/test-bench';
import { expect, test } from '@platform/test-bench/playwright';
import { signIn } from './sign-in-page.ts';

test('slows down the network that guesses a password, and no other', async ({
  browser,
  page,
  bench,
  person,
}) => {
  const { gatewayUrl, fetch } = bench;
  const platform = createPlatformClient({ gatewayUrl, kind: 'customer', fetch });
  const guess = () => platform.signIn({ email: person.email, password: 'wrong password' });
  for (let failures = 0; failures < 12; failures += 1) {
    await bench.age(person, 'PT5M');
    await expect(guess()).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' });
  }
  await signIn(page, bench, person);
  await expect(page.getByText('Too many attempts.')).toBeVisible();

  const other = readTestBench().label();
  const elsewhere = await browser.newPage({ extraHTTPHeaders: other.headers });
  await signIn(elsewhere, other, person);
  await expect(elsewhere.getByRole('heading', { name: 'Your account' })).toBeVisible();
  await other.delete();
});
