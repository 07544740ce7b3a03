import { type LinkedCode, pageState } from '../page/page-state.ts';

/** The state of the history entry for each page that a link may open: the page then shows the step of the code. */
const STEPS: Readonly<Partial<Record<string, { purpose: string; step?: string }>>> = {
  verify: { purpose: 'verification' },
  'sign-in': { purpose: 'sign-in', step: 'code' },
  'reset-password': { purpose: 'reset-password', step: 'forgotten' },
};

/** The code of the link that opened this page, until it is used. */
export const readLinkedCode = (): LinkedCode | undefined => pageState.get().linkedCode;

export const forgetLinkedCode = (): void => pageState.set({ linkedCode: undefined });

/** The address of the link that opened this page, if it is not that of the signed-in user. */
export const findOtherLinkedEmail = (email: string): string | undefined => {
  const linked = readLinkedCode();
  return linked?.email.toLowerCase() === email.toLowerCase() ? undefined : linked?.email;
};

/**
 * Takes code, address and `returnTo` of a mail's link, which are behind `#`, out of the address before the page is
 * shown; `returnTo` goes into the query, as of any link to this page. The entry says that the code was sent, because
 * sending another one would end this one. The digits are kept in memory only.
 */
export const takeMailedCode = (): void => {
  const { hash, pathname, search } = window.location;
  if (!hash.startsWith('#code=')) return;
  const parameters = new URLSearchParams(hash.slice(1));
  const [digits, email] = [parameters.get('code') ?? '', parameters.get('email') ?? ''];
  const returnTo = parameters.get('returnTo');
  const found = STEPS[pathname.split('/').at(-1) ?? ''];
  if (found === undefined || !/^\d{6}$/.test(digits) || email === '') {
    history.replaceState(history.state, '', pathname + search);
    return;
  }
  const { purpose, ...step } = found;
  pageState.set({ linkedCode: { purpose, email, digits } });
  const code = { purpose, email, sentAt: Date.now(), resendAt: Date.now() };
  const query = returnTo ? `?${new URLSearchParams({ returnTo })}` : search;
  history.replaceState({ ...history.state, ...step, email, code }, '', pathname + query);
};

/** Puts the link back into the address, for the next load of the page. */
export const restoreLink = (): void => {
  const linked = readLinkedCode();
  if (!linked) return;
  const parameters = new URLSearchParams({ code: linked.digits, email: linked.email });
  history.replaceState(history.state, '', `#${parameters}`);
};

// A link that is opened in a tab with the same page loads nothing.
window.addEventListener('hashchange', () => {
  if (window.location.hash.startsWith('#code=')) window.location.reload();
});

/** The digits of the link, for the code that was mailed to the address; empty for any other. */
export const findLinkedDigits = (code: { purpose: string; email: string; round: number }): string => {
  const linked = readLinkedCode();
  const isSame = linked?.purpose === code.purpose && linked.email.toLowerCase() === code.email.toLowerCase();
  // After the first round, another code was sent.
  return isSame && code.round === 0 ? linked.digits : '';
};
