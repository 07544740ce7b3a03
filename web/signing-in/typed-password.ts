import { onForget } from '../session/forget-person.ts';

/** Enough for the pages after a sign-in. */
const LIFETIME_MILLISECONDS = 600_000;

/** The password that has just signed in, so that it is not asked for twice. In this page's memory only. */
let typed: { email: string; password: string } | undefined;

export const keepTypedPassword = (email: string, password: string): void => {
  const kept = { email, password };
  typed = kept;
  setTimeout(() => {
    if (typed === kept) typed = undefined;
  }, LIFETIME_MILLISECONDS);
};

/** Whether the password of this account is kept: the person may have signed in to another one meanwhile. */
export const hasTypedPassword = (email: string): boolean =>
  typed?.email.toLowerCase() === email.toLowerCase();

/** The password, once: after an error, the person types it. */
export const takeTypedPassword = (email: string): string | undefined => {
  const password = hasTypedPassword(email) ? typed?.password : undefined;
  typed = undefined;
  return password;
};

export const forgetTypedPassword = (): void => {
  typed = undefined;
};
onForget(forgetTypedPassword);
