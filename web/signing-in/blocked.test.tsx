import { expect } from 'chai';
import { SignInCard } from '../components/frame/sign-in-card.tsx';
import { answer } from '../testing/contract.ts';
import { expectAnnouncement, expectText } from '../testing/expectations.ts';
import { renderSignIn } from '../testing/render-sign-in.tsx';
import { fill, findField, press } from '../testing/screen.ts';

/** What a browser returns for a passkey that was chosen. */
const CREDENTIAL = {
  id: 'AAAA',
  type: 'public-key',
  rawId: new ArrayBuffer(3),
  response: {
    authenticatorData: new ArrayBuffer(3),
    clientDataJSON: new ArrayBuffer(3),
    signature: new ArrayBuffer(3),
  },
  getClientExtensionResults: () => ({}),
};

const EMAIL = 'ada@example.com';
const BLOCKED = { code: 'USER_BLOCKED' };

describe('sign-in of a blocked account', () => {
  const sendPassword = async () => {
    await fill({ Email: EMAIL, Password: 'Password123!' });
    await press('Sign in');
  };
  const expectBlocked = async (text: string) => {
    await expectText('Your account is blocked');
    await expectAnnouncement(text);
  };
  const expectNamed = () =>
    expectBlocked(`You cannot sign in with ${EMAIL} at the moment. Our support can tell you why.`);

  beforeEach(() => {
    Object.assign(globalThis, { PublicKeyCredential: Object });
    const credentials = { get: async () => CREDENTIAL };
    Object.defineProperty(navigator, 'credentials', { configurable: true, value: credentials });
    return renderSignIn({
      frame: (title, content, warning) => (
        <SignInCard title={title} warning={warning}>
          {content}
        </SignInCard>
      ),
    });
  });
  afterEach(() => {
    Reflect.deleteProperty(globalThis, 'PublicKeyCredential');
    Reflect.deleteProperty(navigator, 'credentials');
  });

  it('leads from the password to the support, or to another account', async () => {
    answer('signIn', BLOCKED);
    await sendPassword();
    await expectNamed();
    await press('Use another account');
    await findField('Password');
  });

  it('leads from a mailed code to the support, and back to the password', async () => {
    await fill({ Email: EMAIL });
    await press('Email me a code instead');
    answer('signInEmailCode', BLOCKED);
    await fill({ '6-digit code': '123456' });
    await expectNamed();
    await press('Use another account');
    await findField('Password');
  });

  it('leads from a passkey to the support, and does not name the address that was typed', async () => {
    await fill({ Email: EMAIL });
    answer('signInPasskey', BLOCKED);
    await press('Sign in with a passkey');
    await expectBlocked('You cannot sign in at the moment. Our support can tell you why.');
  });

  it('leads from a second step to the support', async () => {
    answer('signIn', { code: 'SECOND_FACTOR_REQUIRED' });
    await sendPassword();
    answer('signInSecondFactor', BLOCKED);
    await fill({ 'Code from your app': '123456' });
    await expectNamed();
  });

  it('leads from a new password to the support', async () => {
    await fill({ Email: EMAIL });
    await press('Forgot password?');
    await press('Send code');
    answer('signIn', BLOCKED);
    await fill({ '6-digit code': '123456', 'New password': 'Password456!' });
    await press('Set password and sign in');
    await expectNamed();
  });

  it('has the focus on its heading, below a symbol of a warning', async () => {
    answer('signIn', BLOCKED);
    await sendPassword();
    await expectNamed();
    expect(document.activeElement?.tagName).to.equal('H1');
    expect(document.querySelector('h1')?.previousElementSibling?.className).to.include('symbol-warn');
  });
});
