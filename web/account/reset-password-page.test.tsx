import { answer } from '../testing/contract.ts';
import { expectAnnouncement, expectText } from '../testing/expectations.ts';
import { renderScreen } from '../testing/render-screen.tsx';
import { fill, press } from '../testing/screen.ts';
import { ResetPasswordPage } from './reset-password-page.tsx';

describe('page that resets the password', () => {
  it('leads to the support if the account is blocked', async () => {
    await renderScreen(<ResetPasswordPage />, { base: '/account/customer', path: '/reset-password' });
    await fill({ Email: 'ada@example.com' });
    await press('Send code');
    answer('signIn', { code: 'USER_BLOCKED' });
    await fill({ '6-digit code': '123456', 'New password': 'Fahrrad-am-See-27' });
    await press('Set password and sign in');
    await expectText('Your account is blocked');
    await expectAnnouncement('You cannot sign in with ada@example.com at the moment.');
  });
});
