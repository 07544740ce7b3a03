import { type FactorProof, isPlatformError, type Passkey } from '@platform/client';
import {
  confirmTotp,
  deletePasskey,
  getSecondFactor,
  removeTotp,
  replaceRecoveryCodes,
  setUpTotp,
} from '@platform/client/account';
import { confirmWithPasskey, isPasskeyAvailable, registerPasskey } from '@platform/client/passkeys';
import { find, onClick, onSubmit, platform, read, run, toProof } from './page.ts';

const [confirmForm, proofForm] = [find<HTMLFormElement>('#confirm'), find<HTMLFormElement>('#proof')];
const [codeList, passkeyList] = [find('#recovery-codes'), find('#passkeys')];
const [passwordInput, addPasskey] = [find<HTMLInputElement>('#password'), find('#add-passkey')];

const confirmation = () => ({ currentPassword: passwordInput.value });

const toItem = (...content: (string | Node)[]): HTMLElement => {
  const item = document.createElement('li');
  item.append(...content);
  return item;
};

const toPasskeyItem = ({ id, name }: Passkey): HTMLElement => {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = `Remove ${name}`;
  onClick(button, async () => {
    await deletePasskey(platform, id, confirmation());
    await showFactors();
    return 'The passkey was removed from your account. Remove it from your device, too.';
  });
  return toItem(button);
};

const showFactors = async (): Promise<void> => {
  const { totp, passkeys, recoveryCodesLeft } = await getSecondFactor(platform);
  const app = totp ? 'on' : 'off';
  find('#state').textContent = `Authenticator app: ${app}. Recovery codes left: ${recoveryCodesLeft}.`;
  passkeyList.replaceChildren(...passkeys.map(toPasskeyItem));
  find('#set-up').hidden = totp !== null;
  find('#remove-app').hidden = totp === null;
  find('#new-codes').hidden = totp === null && passkeys.length === 0;
};

/** The platform stores only hashes of the codes, so they can be shown only once. */
const showRecoveryCodes = async (codes: string[]): Promise<string> => {
  codeList.replaceChildren(...codes.map((code) => toItem(code)));
  await showFactors();
  return 'Keep these codes in a safe place. Each can be used once.';
};

const setUp = async (): Promise<string> => {
  const { secret, otpauthUrl } = await setUpTotp(platform, confirmation());
  find<HTMLAnchorElement>('#confirm a').href = otpauthUrl;
  find('#confirm code').textContent = secret;
  confirmForm.hidden = false;
  return 'Then enter the code that the app shows.';
};

const confirm = async (): Promise<string> => {
  const codes = await confirmTotp(platform, read(confirmForm, 'code'));
  confirmForm.hidden = true;
  confirmForm.reset();
  return await showRecoveryCodes(codes);
};

/** The change that the second form confirms. */
let pending: (proof?: FactorProof) => Promise<string> = async () => '';

/** Tries the change with the password alone, and shows the second form if a factor is required as well. */
const askForProof = (change: typeof pending) => async (): Promise<string> => {
  try {
    return await change();
  } catch (error) {
    if (!isPlatformError(error, 'FACTOR_REQUIRED')) throw error;
    pending = change;
    proofForm.hidden = false;
    find('#passkey-proof').hidden = !error.factors.includes('passkey') || !isPasskeyAvailable();
    return 'Confirm with one of your factors.';
  }
};
const prove = async (proof: FactorProof): Promise<string> => {
  const result = await pending(proof);
  proofForm.hidden = true;
  proofForm.reset();
  return result;
};

onClick(find('#set-up'), setUp);
onSubmit(confirmForm, confirm);
onClick(
  find('#remove-app'),
  askForProof(async (proof) => {
    await removeTotp(platform, { ...confirmation(), ...proof });
    await showFactors();
    return 'The app is no longer needed to sign in.';
  }),
);
onClick(
  find('#new-codes'),
  askForProof(async (proof) =>
    showRecoveryCodes(await replaceRecoveryCodes(platform, { ...confirmation(), ...proof })),
  ),
);
onSubmit(proofForm, () => prove(toProof(read(proofForm, 'code'))));
onClick(find('#passkey-proof'), async () => prove(await confirmWithPasskey(platform)));
onClick(addPasskey, async () => {
  await registerPasskey(platform, { ...confirmation(), name: 'This device' });
  await showFactors();
  return 'The passkey was added.';
});
onClick(find('#sign-out'), async () => {
  await platform.signOut();
  return 'Signed out.';
});

addPasskey.hidden = !isPasskeyAvailable();

/** Empties the section first, so that it shows nothing of another user. */
export const showAccount = (email: string | undefined): void => {
  for (const form of [confirmForm, proofForm]) {
    form.hidden = true;
    form.reset();
  }
  for (const list of [codeList, passkeyList]) list.replaceChildren();
  passwordInput.value = '';
  find('#account').hidden = email === undefined;
  find('#account h1').textContent = email ?? '';
  if (email !== undefined)
    void run(async () => {
      await showFactors();
      return 'Signed in.';
    });
};
