import { waitFor } from '@testing-library/react/pure.js';
import { expect } from 'chai';
import { answer, listSent } from '../testing/contract.ts';
import { expectText } from '../testing/expectations.ts';
import { renderSignIn } from '../testing/render-sign-in.tsx';
import { fill, findField, press } from '../testing/screen.ts';

describe('sign-in on a new device', () => {
  let isDone: boolean;
  const begin = async () => {
    isDone = false;
    await renderSignIn({
      onDone: () => {
        isDone = true;
      },
    });
    answer('signIn', {
      code: 'SECOND_FACTOR_REQUIRED',
      body: (example: object) => ({ ...example, factors: ['email-code'] }),
    });
    await fill({ Email: 'ada@example.com', Password: 'Password123!' });
    await press('Sign in');
  };

  it('sends a code on arrival, once, and completes the sign-in with it', async () => {
    await begin();
    await expectText('Check your email');
    await expectText(/^You’re signing in on a new device\. We sent a 6-digit code to/);
    await fill({ '6-digit code': '123456' });
    await waitFor(() => expect(isDone).to.equal(true));
    expect(listSent('signInSecondFactorEmailCode')).to.have.length(1);
    expect(listSent('signInSecondFactor')[0]?.body).to.include({ emailCode: '123456' });
  });

  it('shows a wrong code at its field', async () => {
    await begin();
    answer('signInSecondFactor', { code: 'SECOND_FACTOR_INVALID' });
    await fill({ '6-digit code': '123456' });
    await expectText('That code is wrong or has expired.');
    expect((await findField('6-digit code')).getAttribute('aria-invalid')).to.equal('true');
    expect(isDone).to.equal(false);
  });

  it('starts again if the code was asked for too late', async () => {
    answer('signInSecondFactorEmailCode', { code: 'CHALLENGE_INVALID' });
    await begin();
    await expectText('The sign-in took too long. Start again.');
    expect((await findField('Email')).value).to.equal('ada@example.com');
  });

  it('sends another code after a sign-in that began again', async () => {
    await begin();
    answer('signInSecondFactor', { code: 'CHALLENGE_INVALID' });
    await fill({ '6-digit code': '123456' });
    await expectText('The sign-in took too long. Start again.');
    await fill({ Password: 'Password123!' });
    await press('Sign in');
    await findField('6-digit code');
    await waitFor(() => expect(listSent('signInSecondFactorEmailCode')).to.have.length(2));
  });
});
