import { useEffect } from 'react';

/** What has replaced the focused element: a dialog on top, the line that says what happened, else the heading. */
const findNext = (): HTMLElement | null =>
  [...document.querySelectorAll<HTMLElement>('dialog[open]')].at(-1) ??
  document.querySelector<HTMLElement>('.status-line') ??
  document.querySelector('h1');

/**
 * The focus never falls to the body: when the focused element is deleted, such as a button whose action is done,
 * what has come instead gets it. Otherwise Tab would start at the top of the page (WCAG 2.4.3).
 */
export const useKeptFocus = (): void => {
  useEffect(() => {
    let last: Element | undefined;
    const remember = ({ target }: FocusEvent) => {
      last = target instanceof Element ? target : undefined;
    };
    const observer = new MutationObserver(() => {
      if (!last || last.isConnected || document.activeElement !== document.body) return;
      findNext()?.focus({ preventScroll: true });
    });
    document.addEventListener('focusin', remember);
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      document.removeEventListener('focusin', remember);
      observer.disconnect();
    };
  }, []);
};
