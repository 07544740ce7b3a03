import { waitFor } from '@testing-library/react/pure.js';
import { expect } from 'chai';
import { answer, listSent } from '../testing/contract.ts';
import { expectDone, renderSignIn, timesDone } from '../testing/render-sign-in.tsx';
import { findField, press, user } from '../testing/screen.ts';

/** What the browser was asked for: by autofill, or by a dialog. */
type Asked = CredentialRequestOptions & { choose: () => void; cancel: () => void; isClosed: boolean };

const OPTIONS = 'signInPasskeyOptions';
const BUTTON = 'Sign in with a passkey';

describe('sign-in with a passkey, in the field or by the button', () => {
  let asked: Asked[];
  const PASSKEY = {
    id: 'AQID',
    rawId: new Uint8Array([1, 2, 3]).buffer,
    type: 'public-key',
    response: {
      authenticatorData: new ArrayBuffer(37),
      clientDataJSON: new ArrayBuffer(1),
      signature: new ArrayBuffer(1),
    },
    getClientExtensionResults: () => ({}),
  };
  before('give the browser passkeys', () => {
    const isConditionalMediationAvailable = async () => true;
    const PublicKeyCredential = Object.assign(() => undefined, { isConditionalMediationAvailable });
    Object.assign(globalThis, { PublicKeyCredential });
    const get = (options: CredentialRequestOptions) =>
      new Promise((resolve, reject) => {
        const cancel = () => reject(new DOMException('cancelled', 'NotAllowedError'));
        const choose = () => resolve(PASSKEY);
        const asking = { ...options, choose, cancel, isClosed: false };
        options.signal?.addEventListener('abort', () => {
          asking.isClosed = true;
          reject(options.signal?.reason);
        });
        asked.push(asking);
      });
    Object.defineProperty(navigator, 'credentials', { configurable: true, value: { get } });
  });
  after('take them away', () => {
    Reflect.deleteProperty(globalThis, 'PublicKeyCredential');
    Reflect.deleteProperty(navigator, 'credentials');
  });
  beforeEach(() => {
    asked = [];
  });
  const untilAsked = async (times: number): Promise<Asked> => {
    await waitFor(() => expect(asked).to.have.length(times));
    return asked[times - 1] as Asked;
  };

  it('keeps the dialog of the button when the options of autofill come late, which then waits again', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    answer(OPTIONS, { after: promise });
    await renderSignIn();
    await waitFor(() => expect(listSent(OPTIONS)).to.have.length(1));
    answer(OPTIONS);
    await press(BUTTON);
    const dialog = await untilAsked(1);
    expect(dialog.mediation).to.equal(undefined);
    resolve();
    // Meanwhile, the late response arrives.
    await user.type(await findField('Email'), 'ada@example.com');
    expect(dialog.isClosed).to.equal(false);
    dialog.cancel();
    expect((await untilAsked(2)).mediation).to.equal('conditional');
  });

  it('signs in once when the button is pressed after a passkey was chosen in the field', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    answer('signInPasskey', { after: promise });
    await renderSignIn();
    (await untilAsked(1)).choose();
    await waitFor(() => expect(listSent('signInPasskey')).to.have.length(1));
    await press(BUTTON);
    resolve();
    await expectDone();
    await press(BUTTON);
    await waitFor(() => expect(document.querySelector('[aria-disabled]')).to.equal(null));
    expect(asked).to.have.length(1);
    expect(listSent('signInPasskey')).to.have.length(1);
    expect(timesDone).to.equal(1);
  });
});
