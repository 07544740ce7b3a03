import { createPlatformClient } from '@platform/client';
import { confirmTotp, setUpTotp } from '@platform/client/account';
import { EMPLOYEE } from '@platform/shared/testing/auth-client';
import { totpCode } from '@platform/shared/testing/totp';
import { expect } from 'chai';
import { browserTest } from './support/browser-test.ts';
import { createDocsPage } from './support/docs-page.ts';
import { createAccount, REJECTED } from './support/frontend-tab.ts';
import { getPlatform } from './support/platform.ts';

const createAccountWithApp = async () => {
  const { gatewayUrl } = getPlatform();
  const { email, password } = await createAccount(EMPLOYEE);
  const client = createPlatformClient({ gatewayUrl, kind: 'employee' });
  await client.signIn({ email, password });
  const { secret } = await setUpTotp(client, { currentPassword: password });
  await confirmTotp(client, totpCode(secret));
  return { email, password, secret };
};

describe('documentation page with a second factor', () => {
  it(
    'fills in token and session id after the second step of a sign-in',
    browserTest(async (openBrowser) => {
      const { email, password, secret } = await createAccountWithApp();
      const browser = await openBrowser();
      browser.allowErrors(REJECTED);
      const docs = createDocsPage(await browser.open(`${getPlatform().gatewayUrl}/api`));
      await docs.ready();

      const firstStep = await docs.execute('employeeSignIn', { email, password });
      expect(firstStep.status, firstStep.text).to.equal(401);
      expect(await docs.isLocked('employeeMe')).to.equal(false);
      const challenge = /"challenge": "([^"]+)"/.exec(firstStep.text)?.[1];
      const step = { challenge, totpCode: totpCode(secret, 1) };
      const secondStep = await docs.execute('employeeSignInSecondFactor', step);
      expect(secondStep.status, secondStep.text).to.equal(200);

      expect(await docs.isLocked('employeeMe')).to.equal(true);
      expect(secondStep.text).to.include(await docs.field('employeeMe', 'X-Session-Id'));
      const me = await docs.execute('employeeMe');
      expect(me.status, me.text).to.equal(200);
      expect(me.text).to.include(email);
      expect((await docs.execute('employeeSecondFactor')).text).to.include('"recoveryCodesLeft": 10');
    }),
  );
});
