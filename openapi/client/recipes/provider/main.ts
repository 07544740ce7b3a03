import { findPending, listProviders } from '@platform/client/oidc';
import { createLinkButton, finishLink, showAccount } from './identities.ts';
import { createButton, find, platform, redirectUri, run } from './page.ts';
import { createSignInButton, finishSignIn, showSignIn } from './sign-in.ts';

let shownUserId: string | undefined;

/** Called after each change of the session, in this tab or another. */
const show = (): void => {
  const { status, user } = platform.getSnapshot();
  if (shownUserId === user?.id && status === 'signed-in') return;
  shownUserId = user?.id;
  showSignIn(status === 'signed-out');
  showAccount(user?.email);
};

/** The provider returns to this page after a sign-in and after a link. */
const finish = async (callbackUrl: string): Promise<string> => {
  // A reload or the back button must not send the code again.
  window.history.replaceState(null, '', redirectUri);
  const pending = await findPending(platform, callbackUrl);
  return await (pending?.purpose === 'link' ? finishLink(callbackUrl) : finishSignIn(callbackUrl));
};

const showProviders = async (): Promise<undefined> => {
  const providers = await listProviders(platform);
  find('#providers').replaceChildren(...providers.map(createSignInButton));
  find('#links').replaceChildren(...providers.map(createLinkButton));
};

find('#account').append(
  createButton('Sign out', async () => {
    await platform.signOut();
    return 'Signed out.';
  }),
);
platform.subscribe(show);
show();
await run(showProviders);
if (window.location.search) await run(() => finish(window.location.href));
