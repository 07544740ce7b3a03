import { isPlatformError, type SecondFactor } from '@platform/client';
import { completeSignIn } from '@platform/client/account';
import {
  completeSignInWithPasskey,
  isPasskeyAutofillAvailable,
  isPasskeyAvailable,
  signInWithPasskey,
} from '@platform/client/passkeys';
import { describe, find, onClick, onSubmit, platform, read, showMessage, toProof } from './page.ts';

const [signInForm, stepForm] = [find<HTMLFormElement>('#sign-in'), find<HTMLFormElement>('#second-step')];
const [passkeySignIn, passkeyStep] = [find('#passkey-sign-in'), find('#passkey-step')];

/** This is kept only in memory, so after a reload the user starts again. */
let challenge: string | undefined;
let offer: AbortController | undefined;

/** The e-mail field offers passkeys until the form is hidden or another passkey dialog opens. */
const offerPasskeys = async (): Promise<void> => {
  const current = new AbortController();
  offer = current;
  try {
    if (!(await isPasskeyAutofillAvailable())) return;
    await signInWithPasskey(platform, { autofill: true, signal: current.signal });
    endSecondStep();
  } catch (error) {
    // Report only a passkey that the platform rejected; the user has done nothing else that could fail.
    const isRejected = !isPlatformError(error) || error.status === 401;
    if (!current.signal.aborted && isRejected) showMessage(describe(error));
  } finally {
    if (offer === current) offer = undefined;
  }
};

export const showSignIn = (isSignedOut: boolean): void => {
  signInForm.hidden = !isSignedOut || challenge !== undefined;
  stepForm.hidden = !isSignedOut || challenge === undefined;
  if (signInForm.hidden) offer?.abort();
  else if (!offer || offer.signal.aborted) void offerPasskeys();
};

const showSecondStep = (factors: readonly SecondFactor[]): void => {
  passkeyStep.hidden = !factors.includes('passkey') || !isPasskeyAvailable();
  stepForm.reset();
  showSignIn(true);
};

const endSecondStep = (): void => {
  challenge = undefined;
  // Neither a password nor a code may stay in the page.
  signInForm.reset();
  stepForm.reset();
  showSignIn(!platform.isSignedIn());
};

const signIn = async (): Promise<string> => {
  try {
    await platform.signIn({ email: read(signInForm, 'email'), password: read(signInForm, 'password') });
    endSecondStep();
    return 'Signed in.';
  } catch (error) {
    if (!isPlatformError(error, 'SECOND_FACTOR_REQUIRED')) throw error;
    challenge = error.challenge;
    showSecondStep(error.factors);
    return 'The password is correct. Now confirm your second factor.';
  }
};

/** After a wrong code, the user tries again; after CHALLENGE_INVALID, the sign-in starts again. */
const finish = async (complete: (challenge: string) => Promise<unknown>): Promise<string> => {
  try {
    await complete(challenge ?? '');
    endSecondStep();
    return 'Signed in.';
  } catch (error) {
    if (isPlatformError(error, 'CHALLENGE_INVALID')) endSecondStep();
    throw error;
  }
};

passkeySignIn.hidden = !isPasskeyAvailable();
onSubmit(signInForm, signIn);
onClick(passkeySignIn, async () => {
  try {
    await signInWithPasskey(platform);
    endSecondStep();
    return 'Signed in.';
  } finally {
    // The dialog ended the offer.
    showSignIn(!platform.isSignedIn());
  }
});
onSubmit(stepForm, () =>
  finish((pending) => completeSignIn(platform, { challenge: pending, ...toProof(read(stepForm, 'code')) })),
);
onClick(passkeyStep, () => finish((pending) => completeSignInWithPasskey(platform, { challenge: pending })));
