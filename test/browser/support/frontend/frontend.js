// The smallest frontend: customers sign in with the typed client, and it tells who they are.
import { createPlatformClient } from '@platform/client/platform-client';

const gatewayUrl = document.querySelector('meta[name=gateway]').content;
const client = createPlatformClient({ gatewayUrl, kind: 'customer' });
const form = document.querySelector('form');
const [session, answer] = document.querySelectorAll('[role=status]');
let calls = 0;

const showSession = (reason) => {
  session.textContent = client.isSignedIn() ? 'Signed in' : `Signed out${reason ? `: ${reason}` : ''}`;
};

/** Each answer has a number, so that who watches the page sees that it is a new one. */
const show = async (call) => {
  calls += 1;
  const number = calls;
  const text = await call().catch((error) => error.code ?? String(error));
  answer.textContent = `${number}. ${text}`;
};

const who = async () => {
  const { user } = await client.GET('/customers/auth/me');
  return user.email;
};

form.addEventListener('submit', (event) => {
  event.preventDefault();
  const { email, password } = Object.fromEntries(new FormData(form));
  void show(async () => {
    await client.signIn({ email, password });
    showSession();
    return await who();
  });
});
document.getElementById('who').addEventListener('click', () => void show(who));
document.getElementById('sign-out').addEventListener('click', () => {
  void show(async () => {
    await client.signOut();
    return 'Good-bye';
  });
});

client.onSignedOut(showSession);
showSession();
if (client.isSignedIn()) void show(who);
