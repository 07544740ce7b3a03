import { waitFor } from '@testing-library/react/pure.js';
import { expect } from 'chai';
import { answer, bodiesOf } from '../testing/contract.ts';
import { expectNoText, expectText } from '../testing/expectations.ts';
import { expectDone, renderSignIn } from '../testing/render-sign-in.tsx';
import { fill, findField, press, user } from '../testing/screen.ts';

const LABEL = 'Stay signed in on this device';

describe('choice to stay signed in', () => {
  const offer = (staySignedIn: boolean) =>
    answer('signInMethods', { body: (example: object) => ({ ...example, staySignedIn }) });
  const choose = async () => await user.click(await findField(LABEL));
  const CREDENTIALS = { email: 'ada@example.com', password: 'Password123!' };
  const sendPassword = async () => {
    await fill({ Email: CREDENTIALS.email, Password: CREDENTIALS.password });
    await press('Sign in');
    await expectDone();
  };

  it('is off at first, and then sends nothing', async () => {
    offer(true);
    await renderSignIn();
    expect((await findField(LABEL)).checked).to.equal(false);
    await sendPassword();
    expect(bodiesOf('signIn')).to.deep.equal([CREDENTIALS]);
  });

  it('is sent with the password, and kept by the browser', async () => {
    offer(true);
    await renderSignIn();
    await choose();
    await sendPassword();
    expect(bodiesOf('signIn')).to.deep.equal([{ ...CREDENTIALS, staySignedIn: true }]);
    expect(localStorage.getItem('platform.customer.stay-signed-in')).to.equal('true');
  });

  it('is the last one of this browser, and sent with a mailed code', async () => {
    localStorage.setItem('platform.customer.stay-signed-in', 'true');
    offer(true);
    await renderSignIn();
    expect((await findField(LABEL)).checked).to.equal(true);
    await fill({ Email: CREDENTIALS.email });
    await press('Email me a code instead');
    await fill({ '6-digit code': '123456' });
    await expectDone();
    expect(bodiesOf('signInEmailCode')).to.deep.equal([
      { email: CREDENTIALS.email, code: '123456', staySignedIn: true },
    ]);
  });

  it('is sent when a provider is chosen', async () => {
    offer(true);
    await renderSignIn();
    await choose();
    // Does not leave the page of the tests.
    answer('oidcAuthorize', { code: 'PROVIDER_UNAVAILABLE' });
    await press('Continue with Company');
    await waitFor(() => expect(bodiesOf('oidcAuthorize')).to.have.length(1));
    expect(bodiesOf('oidcAuthorize')[0]).to.include({ staySignedIn: true });
  });

  it('is sent with a new password', async () => {
    offer(true);
    await renderSignIn();
    await choose();
    await fill({ Email: CREDENTIALS.email });
    await press('Forgot password?');
    await press('Send code');
    await fill({ '6-digit code': '123456', 'New password': 'Password456!' });
    await press('Set password and sign in');
    await expectDone();
    expect(bodiesOf('signIn')[0]).to.include({ staySignedIn: true });
  });

  it('is neither shown nor sent where the platform does not offer it', async () => {
    localStorage.setItem('platform.customer.stay-signed-in', 'true');
    offer(false);
    await renderSignIn();
    await expectText('Continue with Company');
    await expectNoText(LABEL);
    await sendPassword();
    expect(bodiesOf('signIn')).to.deep.equal([CREDENTIALS]);
  });
});
