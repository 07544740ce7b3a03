import { act, waitFor } from '@testing-library/react/pure.js';
import { expect } from 'chai';
import { readConnection, rememberConnection } from '../signing-in/connection.ts';
import { keepTypedPassword } from '../signing-in/typed-password.ts';
import { answer, bodiesOf } from '../testing/contract.ts';
import { expectNoText, expectText } from '../testing/expectations.ts';
import { renderScreen } from '../testing/render-screen.tsx';
import { fill, findField, press } from '../testing/screen.ts';
import { ConnectPage } from './connect-page.tsx';

const BASE = '/account/customer';
const EMAIL = 'customer@example.com';

describe('page that connects a provider', () => {
  const { assign } = window.location;
  let opened: string[];

  beforeEach('stay on the page of the tests', () => {
    opened = [];
    window.location.assign = (url) => void opened.push(String(url));
    answer('identities', { body: (example: object) => ({ ...example, hasPassword: true }) });
  });
  afterEach('restore', () => {
    window.location.assign = assign;
  });

  const renderConnect = () => {
    rememberConnection('customer', 'company');
    return renderScreen(<ConnectPage />, { isSignedIn: true, base: BASE, path: '/connect' });
  };
  const untilOpened = () => waitFor(() => expect(opened[0]).to.match(/^https:\/\/login\.example\.com/));

  it('goes to the provider with the password that has just signed in, which nobody types again', async () => {
    keepTypedPassword(EMAIL, 'Password123!');
    await renderConnect();
    await expectText('Connect Company');
    await expectText(EMAIL);
    await expectNoText('Current password');
    await press('Connect');
    await untilOpened();
    expect(bodiesOf('identityAuthorize')).to.deep.equal([
      { redirectUri: `${window.location.origin}${BASE}/callback/company`, currentPassword: 'Password123!' },
    ]);
    await expectNoText('Current password');
    act(() => void window.dispatchEvent(new Event('pageshow')));
    await findField('Current password');
  });

  it('asks for the password after a reload, and says that it is wrong', async () => {
    await renderConnect();
    answer('identityAuthorize', { code: 'CURRENT_PASSWORD_WRONG' });
    await fill({ 'Current password': 'Password1!' });
    await press('Connect');
    await expectText('The current password is wrong.');
    expect(opened).to.deep.equal([]);
    answer('identityAuthorize');
    await fill({ 'Current password': 'Password123!' });
    await press('Connect');
    await untilOpened();
  });

  it('asks for the password if the one that has signed in is refused', async () => {
    keepTypedPassword(EMAIL, 'Password1!');
    await renderConnect();
    answer('identityAuthorize', { code: 'CURRENT_PASSWORD_WRONG' });
    await press('Connect');
    await findField('Current password');
  });

  it('is left without the connection', async () => {
    await renderConnect();
    await press('Not now');
    await waitFor(() => expect(window.location.pathname).to.equal(`${BASE}/`));
    expect(readConnection('customer')).to.equal(undefined);
    expect(bodiesOf('identityAuthorize')).to.deep.equal([]);
  });

  it('has nothing to connect without a sign-in that asked for it', async () => {
    await renderScreen(<ConnectPage />, { isSignedIn: true, base: BASE, path: '/connect' });
    await waitFor(() => expect(window.location.pathname).to.equal(`${BASE}/`));
  });
});
