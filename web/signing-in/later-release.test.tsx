import { waitFor } from '@testing-library/react/pure.js';
import { expect } from 'chai';
import { answer, listSent } from '../testing/contract.ts';
import { renderSignIn } from '../testing/render-sign-in.tsx';
import { fill, findField, press } from '../testing/screen.ts';
import { listMethods } from '../words/device.ts';

describe('pages of an earlier release', () => {
  it('leave out second factors that they do not know', async () => {
    let isDone = false;
    await renderSignIn({
      onDone: () => {
        isDone = true;
      },
    });
    answer('signIn', {
      code: 'SECOND_FACTOR_REQUIRED',
      body: (example: object) => ({ ...example, factors: ['moon-phase', 'totp'], planted: true }),
      isOfLaterRelease: true,
    });
    await fill({ Email: 'ada@example.com', Password: 'Password123!' });
    await press('Sign in');
    await findField('Code from your app');
    const buttons = [...document.querySelectorAll('button')].map(({ textContent }) => textContent);
    expect(buttons).not.to.include('Use a recovery code');
    await fill({ 'Code from your app': '123456' });
    await waitFor(() => expect(isDone).to.equal(true));
    expect(listSent('signInSecondFactor')).to.have.length(1);
  });

  it('show methods that they do not know by their names', () => {
    const methods = ['password', 'moon-phase', 'oidc:company'];
    expect(listMethods({ methods })).to.equal('password, moon-phase, company');
  });
});
