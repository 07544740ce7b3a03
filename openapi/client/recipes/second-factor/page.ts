import { createPlatformClient, type FactorProof, isPlatformError } from '@platform/client';

export const platform = createPlatformClient({
  gatewayUrl: import.meta.env['VITE_GATEWAY_URL'],
  kind: 'customer',
});

export const find = <Type extends HTMLElement = HTMLElement>(selector: string): Type => {
  const element = document.querySelector<Type>(selector);
  if (!element) throw new Error(`The page has no ${selector}`);
  return element;
};
const message = find('[role=status]');

export const read = (form: HTMLFormElement, name: string): string => String(new FormData(form).get(name));

/** An authenticator app shows six digits; any other input is a recovery code. */
export const toProof = (text: string): FactorProof => {
  const code = text.replaceAll(/\s/g, '');
  return /^\d{6}$/.test(code) ? { totpCode: code } : { recoveryCode: code };
};

export const describe = (error: unknown): string => {
  if (isPlatformError(error, 'INVALID_CREDENTIALS', 'CURRENT_PASSWORD_WRONG'))
    return 'The e-mail or the password is wrong.';
  if (isPlatformError(error, 'SECOND_FACTOR_INVALID'))
    return 'The code is wrong or was already used, or the passkey was not accepted.';
  if (isPlatformError(error, 'EMAIL_NOT_VERIFIED')) return 'Verify your e-mail address first.';
  if (isPlatformError(error, 'CHALLENGE_INVALID')) return 'This took too long. Start again.';
  if (isPlatformError(error, 'RATE_LIMITED'))
    return `Too many attempts. Try again in ${error.retryAfterSeconds} s.`;
  if (isPlatformError(error, 'PASSKEY_CANCELLED'))
    return 'No passkey was used. Try again, or choose another way.';
  if (isPlatformError(error, 'PASSKEY_EXISTS')) return 'This device already has a passkey for this account.';
  if (isPlatformError(error, 'PASSKEY_UNAVAILABLE')) return 'This browser cannot use passkeys here.';
  if (isPlatformError(error, 'VALIDATION_FAILED'))
    return error.details.map((detail) => detail.message).join('. ');
  if (isPlatformError(error)) return `An error occurred: ${error.code} ${error.requestId ?? ''}`;
  throw error;
};

export const showMessage = (text: string): void => {
  message.textContent = text;
};

/** Shows the result. A second click would use up an attempt, so buttons are disabled meanwhile. */
export const run = async (action: () => Promise<string>): Promise<void> => {
  const buttons = document.querySelectorAll('button');
  for (const button of buttons) button.disabled = true;
  showMessage(await action().catch(describe));
  for (const button of buttons) button.disabled = false;
};

export const onSubmit = (form: HTMLFormElement, action: () => Promise<string>): void =>
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void run(action);
  });
export const onClick = (button: HTMLElement, action: () => Promise<string>): void =>
  button.addEventListener('click', () => void run(action));
