// A minimal frontend: signs customers in with the typed client and shows the current user.
import { createPlatformClient } from '@platform/client/platform-client';

const gatewayUrl = document.querySelector('meta[name=gateway]').content;
const client = createPlatformClient({ gatewayUrl, kind: 'customer' });
const form = document.querySelector('form');
const [session, result] = document.querySelectorAll('[role=status]');
let calls = 0;

const showSession = (reason) => {
  session.textContent = client.isSignedIn() ? 'Signed in' : `Signed out${reason ? `: ${reason}` : ''}`;
};

/** Numbers the results, so that a test can tell a new result from an equal previous one. */
const show = async (call) => {
  calls += 1;
  const number = calls;
  const text = await call().catch((error) => error.code ?? String(error));
  result.textContent = `${number}. ${text}`;
};

const currentUser = async () => {
  const { user } = await client.GET('/customers/auth/me');
  return user.email;
};

form.addEventListener('submit', (event) => {
  event.preventDefault();
  const { email, password } = Object.fromEntries(new FormData(form));
  void show(async () => {
    await client.signIn({ email, password });
    showSession();
    return await currentUser();
  });
});
document.getElementById('current-user').addEventListener('click', () => void show(currentUser));
document.getElementById('sign-out').addEventListener('click', () => {
  void show(async () => {
    await client.signOut();
    return 'Signed out';
  });
});

client.onSignedOut(showSession);
showSession();
if (client.isSignedIn()) void show(currentUser);
