import { act, waitFor } from '@testing-library/react/pure.js';
import { expect } from 'chai';
import { answer, listSent } from '../testing/contract.ts';
import { expectAnnouncement, expectText } from '../testing/expectations.ts';
import { renderSignIn } from '../testing/render-sign-in.tsx';
import { fill, findField, press } from '../testing/screen.ts';
import { chooseLanguage } from '../words/language.ts';

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
    await expectText('This sign-in is no longer valid. Sign in again.');
    expect((await findField('Email')).value).to.equal('ada@example.com');
  });

  for (const [language, field, wrong, used, next, over] of [
    [
      'en',
      '6-digit code',
      'That code is wrong or has expired.',
      'This sign-in has ended after five wrong tries. Sign in again.',
      'Send a new code',
      'This sign-in is no longer valid. Sign in again.',
    ],
    [
      'de',
      '6-stelliger Code',
      'Dieser Code stimmt nicht oder ist abgelaufen.',
      'Nach fünf Fehlversuchen ist diese Anmeldung beendet. Bitte melden Sie sich erneut an.',
      'Neuen Code anfordern',
      'Diese Anmeldung ist nicht mehr gültig. Bitte melden Sie sich erneut an.',
    ],
  ] as const)
    it(`starts again after five wrong codes, and blames no time limit: ${language}`, async () => {
      answer('signInSecondFactorEmailCode', { body: (example: object) => ({ ...example, resendIn: 0 }) });
      await begin();
      await act(() => chooseLanguage(language));
      answer('signInSecondFactor', { code: 'SECOND_FACTOR_INVALID' });
      for (let tries = 1; tries <= 5; tries += 1) {
        await fill({ [field]: `00000${tries}` });
        await waitFor(() => expect(listSent('signInSecondFactor')).to.have.length(tries));
        await expectText(tries < 5 ? wrong : used);
      }
      answer('signInSecondFactorEmailCode', { code: 'CHALLENGE_INVALID' });
      await press(next);
      await expectAnnouncement(over);
      await act(() => chooseLanguage('en'));
    });

  it('sends another code after a sign-in that began again', async () => {
    await begin();
    answer('signInSecondFactor', { code: 'CHALLENGE_INVALID' });
    await fill({ '6-digit code': '123456' });
    await expectText('This sign-in is no longer valid. Sign in again.');
    await fill({ Password: 'Password123!' });
    await press('Sign in');
    await findField('6-digit code');
    await waitFor(() => expect(listSent('signInSecondFactorEmailCode')).to.have.length(2));
  });
});
