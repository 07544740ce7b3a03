import { createPlatformClient, isPlatformError } from '@platform/client';

const platform = createPlatformClient({ gatewayUrl: import.meta.env['VITE_GATEWAY_URL'], kind: 'customer' });

const find = <Type extends HTMLElement>(selector: string): Type => {
  const element = document.querySelector<Type>(selector);
  if (!element) throw new Error(`The page has no ${selector}`);
  return element;
};
const [requestForm, resetForm] = [find<HTMLFormElement>('#request'), find<HTMLFormElement>('#reset')];
const [resendButton, message] = [find<HTMLButtonElement>('#resend'), find('[role=status]')];

const read = (form: HTMLFormElement, name: string): string => String(new FormData(form).get(name)).trim();
const minutes = (seconds = 60): string => `${Math.ceil(seconds / 60)} min`;

const describe = (error: unknown): string => {
  if (isPlatformError(error, 'CODE_INVALID'))
    return 'The code is wrong, used or expired, or had too many attempts.';
  if (isPlatformError(error, 'RESEND_LOCKED'))
    return `A code has already been sent. You can request another one in ${minutes(error.retryAfterSeconds)}.`;
  if (isPlatformError(error, 'RATE_LIMITED'))
    return `Too many attempts. Try again in ${minutes(error.retryAfterSeconds)}.`;
  // The messages name the rules for a new password.
  if (isPlatformError(error, 'VALIDATION_FAILED'))
    return error.details.map((detail) => detail.message).join('. ');
  if (isPlatformError(error, 'GATEWAY_UNREACHABLE', 'SERVICE_UNAVAILABLE', 'UPSTREAM_UNAVAILABLE'))
    return 'The service cannot be reached. Try again in a minute.';
  if (isPlatformError(error)) return `An error occurred. Request id for the support: ${error.requestId}`;
  throw error;
};

const requestCode = async (): Promise<string> => {
  const email = read(requestForm, 'email');
  try {
    await platform.requestPasswordReset(email);
    // An unknown address gets the same text, so that the page does not reveal who has an account.
    return `If ${email} has an account, we have sent a code.`;
  } catch (error) {
    // The previous code may still be valid, so show the second form, too.
    if (!isPlatformError(error, 'RESEND_LOCKED')) throw error;
    return describe(error);
  } finally {
    resetForm.hidden = false;
  }
};

const setPassword = async (): Promise<string> => {
  // A password may start or end with a space.
  const newPassword = String(new FormData(resetForm).get('newPassword'));
  await platform.resetPassword({
    email: read(requestForm, 'email'),
    code: read(resetForm, 'code'),
    newPassword,
  });
  resetForm.hidden = true;
  resetForm.reset();
  return 'Your password was changed, and all devices were signed out. Sign in with the new password.';
};

/** Shows the result. A second click would use up an attempt, so buttons are disabled meanwhile. */
const run = async (action: () => Promise<string>): Promise<void> => {
  const buttons = document.querySelectorAll('button');
  for (const button of buttons) button.disabled = true;
  message.textContent = await action().catch(describe);
  for (const button of buttons) button.disabled = false;
};

requestForm.addEventListener('submit', (event) => {
  event.preventDefault();
  void run(requestCode);
});
resetForm.addEventListener('submit', (event) => {
  event.preventDefault();
  void run(setPassword);
});
resendButton.addEventListener('click', () => void run(requestCode));
