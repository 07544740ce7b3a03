import { chooseLanguage, toLanguage } from '../words/language.ts';

/**
 * What a link of `signInAddress` names beside `returnTo`: an address to fill in, a language, and the page to open.
 * They are taken out of the address before the page is shown, so that no reload repeats them, and the e-mail is in
 * no address that somebody could copy.
 */
export const takeLinkParameters = async (): Promise<void> => {
  const url = new URL(window.location.href);
  const take = (name: string): string | null => {
    const value = url.searchParams.get(name);
    url.searchParams.delete(name);
    return value;
  };
  // A link written by hand has the plus as it is, which a query makes a space; an address has no spaces.
  const email = take('loginHint')?.trim().replaceAll(' ', '+') ?? null;
  const language = toLanguage(take('language'));
  const page = take('page');
  // Whatever stands in the query is left as it is written.
  if (email === null && language === undefined && page === null) return;
  if (page === 'sign-up') url.pathname = url.pathname.replace(/\/sign-in$/, '/sign-up');
  const state: object = history.state ?? {};
  history.replaceState(email ? { ...state, email } : state, '', url);
  if (language) await chooseLanguage(language, { isOfLink: true });
};
