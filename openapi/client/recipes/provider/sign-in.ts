import { isPlatformError } from '@platform/client';
import { completeSignIn as completeSecondStep } from '@platform/client/account';
import { completeSignIn, signInWith } from '@platform/client/oidc';
import { createButton, find, onSubmit, platform, redirectUri } from './page.ts';

const [signInForm, stepForm] = [find<HTMLFormElement>('#sign-in'), find<HTMLFormElement>('#second-step')];

/** This is kept only in memory, so after a reload the user starts again. */
let challenge = '';

/** A user with a second factor needs it for a sign-in with a provider, too. */
const withSecondStep = async (signIn: Promise<unknown>): Promise<string> => {
  try {
    await signIn;
    return 'Signed in.';
  } catch (error) {
    if (!isPlatformError(error, 'SECOND_FACTOR_REQUIRED')) throw error;
    challenge = error.challenge;
    stepForm.hidden = false;
    return 'Now confirm your second factor.';
  }
};

onSubmit(signInForm, (fields) =>
  withSecondStep(
    platform.signIn({ email: String(fields.get('email')), password: String(fields.get('password')) }),
  ),
);
onSubmit(stepForm, async (fields) => {
  await completeSecondStep(platform, { challenge, totpCode: String(fields.get('code')) });
  return 'Signed in.';
});

export const createSignInButton = ({ id, name }: { id: string; name: string }): HTMLButtonElement =>
  createButton(`Sign in with ${name}`, async () => {
    await signInWith(platform, id, { redirectUri });
    return `Going to ${name} …`;
  });

export const finishSignIn = (callbackUrl: string): Promise<string> =>
  withSecondStep(completeSignIn(platform, callbackUrl));

export const showSignIn = (isSignedOut: boolean): void => {
  find('#signed-out').hidden = !isSignedOut;
  for (const form of [signInForm, stepForm]) form.reset();
  stepForm.hidden = true;
};
