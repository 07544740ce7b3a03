// A minimal frontend: signs customers in with the typed client and shows the current user.
import { createPlatformClient } from '@platform/client';

const gatewayUrl = document.querySelector('meta[name=gateway]').content;
const client = createPlatformClient({ gatewayUrl, kind: 'customer' });
const form = document.querySelector('form');
const [session, result] = document.querySelectorAll('[role=status]');
let calls = 0;

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

form.addEventListener('submit', (event) => {
  event.preventDefault();
  const { email, password } = Object.fromEntries(new FormData(form));
  void show(async () => {
    await client.signIn({ email, password });
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

client.subscribe(showSession);
showSession();
// For tests that observe every change.
Object.assign(window, { client });
if (client.isSignedIn()) void show(currentUser);
