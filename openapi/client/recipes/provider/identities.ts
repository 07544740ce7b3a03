import type { Identity } from '@platform/client';
import { completeLink, linkIdentity, listIdentities, unlinkIdentity } from '@platform/client/oidc';
import { createButton, find, platform, redirectUri, run } from './page.ts';

const [passwordInput, list] = [find<HTMLInputElement>('#password'), find('#identities')];
let hasPassword = true;

/** An account without a password needs a sign-in within the last five minutes instead. */
const confirmation = () => (hasPassword ? { currentPassword: passwordInput.value } : {});

const toItem = ({ id, provider, email }: Identity): HTMLElement => {
  const item = document.createElement('li');
  const unlink = async () => {
    await unlinkIdentity(platform, id, confirmation());
    await showIdentities();
    return 'It can no longer be used to sign in to this account.';
  };
  item.append(`${provider}: ${email ?? 'no address'} `, createButton('Unlink', unlink));
  return item;
};

const showIdentities = async (): Promise<undefined> => {
  const identities = await listIdentities(platform);
  hasPassword = identities.hasPassword;
  find('#confirmation').hidden = !hasPassword;
  list.replaceChildren(...identities.data.map(toItem));
};

export const createLinkButton = ({ id, name }: { id: string; name: string }): HTMLButtonElement =>
  createButton(`Link ${name}`, async () => {
    await linkIdentity(platform, id, { redirectUri, ...confirmation() });
    return `Going to ${name} …`;
  });

export const finishLink = async (callbackUrl: string): Promise<string> => {
  const { email } = await completeLink(platform, callbackUrl);
  await showIdentities();
  return `${email ?? 'It'} can now be used to sign in to this account.`;
};

/** Empties the section first, so that it shows nothing of another user. */
export const showAccount = (email: string | undefined): void => {
  list.replaceChildren();
  passwordInput.value = '';
  find('#account').hidden = email === undefined;
  find('#account h1').textContent = email ?? '';
  if (email !== undefined) void run(showIdentities);
};
