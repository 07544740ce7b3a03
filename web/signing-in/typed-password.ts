import { pageState } from '../page/page-state.ts';

export const forgetTypedPassword = (): void => pageState.set({ typedPassword: undefined });

/** The password is kept for this long, which is enough for the pages after a sign-in. */
const LIFETIME_MILLISECONDS = 600_000;

/** Keeps the password that has just signed in, so that it is not asked for twice. In this page's memory only. */
export const keepTypedPassword = (email: string, password: string): void => {
  const typedPassword = { email, password };
  pageState.set({ typedPassword });
  setTimeout(() => {
    if (pageState.get().typedPassword === typedPassword) forgetTypedPassword();
  }, LIFETIME_MILLISECONDS);
};

/** Whether the password of this account is kept: the person may have signed in to another one meanwhile. */
export const hasTypedPassword = (email: string): boolean =>
  pageState.get().typedPassword?.email.toLowerCase() === email.toLowerCase();

/** Returns the password once: after an error, the person types it. */
export const takeTypedPassword = (email: string): string | undefined => {
  const password = hasTypedPassword(email) ? pageState.get().typedPassword?.password : undefined;
  forgetTypedPassword();
  return password;
};
