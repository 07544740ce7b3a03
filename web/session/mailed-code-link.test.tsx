import { waitFor } from '@testing-library/react/pure.js';
import { expect } from 'chai';
import { CodeStep } from '../signing-in/code-step.tsx';
import { useMailedCode } from '../signing-in/mailed-code.ts';
import { answer, listSent } from '../testing/contract.ts';
import { expectText } from '../testing/expectations.ts';
import { renderScreen } from '../testing/render-screen.tsx';
import { findField, press } from '../testing/screen.ts';
import { forgetLinkedCode, takeMailedCode } from './mailed-code-link.ts';
import { usePlatform } from './platform.ts';
import { useSignedIn } from './session-gate.tsx';

const EMAIL = 'customer@example.com';
const LINK = `#code=042917&email=${encodeURIComponent(EMAIL)}`;

const Verification = () => {
  const { client } = usePlatform();
  const { user } = useSignedIn();
  const onSend = () => client.sendVerificationCode();
  const code = useMailedCode({ purpose: 'verification', email: user.email, onSend });
  return <CodeStep code={code} sentence="Sent to" onCode={(digits) => client.verifyEmail(digits)} />;
};

describe('link of a mailed code', () => {
  const open = (place: string) => {
    history.replaceState({ kept: true }, '', place);
    takeMailedCode();
  };
  const readPlace = () => window.location.pathname + window.location.search + window.location.hash;
  afterEach('forget the link', () => {
    forgetLinkedCode();
    history.replaceState(null, '', '/');
  });

  it('is taken out of the address, which then names the step of the code', () => {
    for (const [page, state] of [
      ['verify', {}],
      ['sign-in', { step: 'code' }],
      ['reset-password', { step: 'forgotten' }],
    ] as const) {
      open(`/account/employee/${page}?returnTo=%2F${LINK}`);
      expect(readPlace()).to.equal(`/account/employee/${page}?returnTo=%2F`);
      expect(history.state).to.deep.include({ kept: true, email: EMAIL, ...state });
      expect(history.state.code.email).to.equal(EMAIL);
      expect(JSON.stringify(history.state)).not.to.include('042917');
    }
  });

  it('names where the sign-up began, as the query of the page then does', () => {
    open(`/account/customer/verify${LINK}&returnTo=https%3A%2F%2Fshop.example.com%2Fbasket%3Fa%3D1%26b`);
    expect(new URLSearchParams(window.location.search).get('returnTo')).to.equal(
      'https://shop.example.com/basket?a=1&b',
    );
  });

  it('is taken out of the address where it is of no use, and any other part behind # stays', () => {
    for (const place of [
      `/account/customer/${LINK}`,
      '/account/customer/verify#code=1&email=x',
      '/x#code=',
    ]) {
      open(place);
      expect(readPlace()).to.equal(place.split('#')[0]);
      expect(history.state).to.deep.equal({ kept: true });
    }
    open('/account/customer/#devices');
    expect(readPlace()).to.equal('/account/customer/#devices');
  });

  it('fills the digits in, which wait for the button, and sends no other code', async () => {
    open(`/account/customer/verify${LINK}`);
    await renderScreen(<Verification />, { isSignedIn: true, state: history.state });
    await expectText(EMAIL);
    expect((await findField('6-digit code')).value).to.equal('042917');
    expect([listSent('verificationEmailCode'), listSent('verificationEmailCodeCheck')]).to.deep.equal([
      [],
      [],
    ]);
    await press('Continue');
    await waitFor(() =>
      expect(listSent('verificationEmailCodeCheck').map(({ body }) => body)).to.deep.equal([
        { code: '042917' },
      ]),
    );
  });

  it('fills nothing in for another address', async () => {
    open('/account/customer/verify#code=042917&email=other%40example.com');
    answer('verificationEmailCode', { body: (example: object) => ({ ...example, resendIn: 120 }) });
    await renderScreen(<Verification />, { isSignedIn: true, state: history.state });
    expect((await findField('6-digit code')).value).to.equal('');
    await waitFor(() => expect(listSent('verificationEmailCode')).to.have.lengthOf(1));
  });

  it('is taken by a reload if the browser opens it in a tab that shows the page already', () => {
    let timesReloaded = 0;
    const { reload } = window.location;
    window.location.reload = () => {
      timesReloaded += 1;
    };
    try {
      for (const hash of ['#devices', LINK]) {
        history.replaceState(null, '', `/account/customer/verify${hash}`);
        window.dispatchEvent(new Event('hashchange'));
      }
    } finally {
      window.location.reload = reload;
    }
    expect(timesReloaded).to.equal(1);
  });
});
