// A minimal frontend: signs in with the typed client and shows the current user. The path is the kind;
// customers have none.
import { createPlatformClient, isPlatformError } from '@platform/client';
import * as account from '@platform/client/account';
import * as oidc from '@platform/client/oidc';
import * as passkeys from '@platform/client/passkeys';

const gatewayUrl = document.querySelector('meta[name=gateway]').content;
const client = createPlatformClient({ gatewayUrl, kind: location.pathname.slice(1) || 'customer' });
const redirectUri = location.origin + location.pathname;
const [form, secondStep] = document.querySelectorAll('form');
const [session, result] = document.querySelectorAll('[role=status]');
let calls = 0;
/** The challenge of a sign-in that needs a second step. */
let challenge;

const showSession = () => {
  const { status, user, reason } = client.getSnapshot();
  const signedOut = `Signed out${reason ? `: ${reason}` : ''}`;
  session.textContent = status === 'signed-in' ? `Signed in as ${user.email}` : signedOut;
};

/** Numbers the results, so that a test can tell a new result from an equal previous one. */
const show = async (call) => {
  calls += 1;
  const number = calls;
  const text = await call().catch((error) => error.code ?? String(error));
  result.textContent = `${number}. ${text}`;
};

const currentUser = async () => {
  const { user } = await client.me();
  return user.email;
};

const withSecondStep = async (signIn) => {
  try {
    await signIn();
  } catch (error) {
    if (!isPlatformError(error, 'SECOND_FACTOR_REQUIRED')) throw error;
    challenge = error.challenge;
    return `Second step: ${error.factors.join(', ')}`;
  }
  return await currentUser();
};

form.addEventListener('submit', (event) => {
  event.preventDefault();
  const { email, password } = Object.fromEntries(new FormData(form));
  void show(() => withSecondStep(() => client.signIn({ email, password })));
});

/** Shows the user whom the call signs in. */
const showUser = (signIn) =>
  void show(async () => {
    await signIn();
    return await currentUser();
  });
secondStep.addEventListener('submit', (event) => {
  event.preventDefault();
  const { code } = Object.fromEntries(new FormData(secondStep));
  const proof = /^\d{6}$/.test(code) ? { totpCode: code } : { recoveryCode: code };
  showUser(() => account.completeSignIn(client, { challenge, ...proof }));
});
document.getElementById('passkey-step').addEventListener('click', () => {
  showUser(() => passkeys.completeSignInWithPasskey(client, { challenge }));
});
document.getElementById('passkey-sign-in').addEventListener('click', () => {
  showUser(() => passkeys.signInWithPasskey(client));
});
document.getElementById('provider-sign-in').addEventListener('click', () => {
  void show(() => oidc.signInWith(client, 'company', { redirectUri }));
});
document.getElementById('link').addEventListener('click', () => {
  const currentPassword = new FormData(form).get('password');
  void show(() => oidc.linkIdentity(client, 'company', { redirectUri, currentPassword }));
});
/** Completes the sign-in or link that led to the provider. */
const complete = async (callbackUrl) => {
  const pending = await oidc.findPending(client, callbackUrl);
  if (pending?.purpose === 'link') return `Linked ${(await oidc.completeLink(client, callbackUrl)).email}`;
  return await withSecondStep(() => oidc.completeSignIn(client, callbackUrl));
};
document.getElementById('current-user').addEventListener('click', () => void show(currentUser));
document.getElementById('sign-out').addEventListener('click', () => {
  void show(async () => {
    await client.signOut();
    return 'Signed out';
  });
});

client.subscribe(showSession);
showSession();
// For tests that observe every change, and call what has no button.
Object.assign(window, { client, account, oidc, passkeys });
if (location.search) {
  const callbackUrl = location.href;
  // A reload must not send the code again.
  history.replaceState(null, '', redirectUri);
  void show(() => complete(callbackUrl));
} else if (client.isSignedIn()) void show(currentUser);
