import { useEffect } from 'react';

/**
 * Returns the element that gets the focus first in a dialog: the heading of what is read or the button that confirms
 * a question of a key, else the first field that can be changed, else the first harmless button.
 */
export const findFirst = (dialog: HTMLDialogElement): HTMLElement =>
  dialog.querySelector<HTMLElement>('h2[tabindex], [data-first]') ??
  dialog.querySelector<HTMLElement>('input:not([type=hidden], [hidden], [readonly]), select, textarea') ??
  dialog.querySelector<HTMLElement>('.dialog-body :is(button:not(.button-danger, .button-main), a)') ??
  dialog.querySelector<HTMLElement>('.dialog-body button, button') ??
  dialog;

/**
 * Returns the element that gets the focus instead: in the dialog on top, else the row after a deleted one, else the
 * line that says what happened, else the heading.
 */
const findNext = (nextRow: Element | null | undefined): HTMLElement | null => {
  const dialog = [...document.querySelectorAll<HTMLDialogElement>('dialog[open]')].at(-1);
  if (dialog) return findFirst(dialog);
  const inNextRow = nextRow?.isConnected && nextRow.querySelector<HTMLElement>('button');
  if (inNextRow) return inNextRow;
  return document.querySelector<HTMLElement>('.status-line') ?? document.querySelector('h1');
};

/**
 * The focus never falls to the body: when the focused element is deleted, such as a button whose action is done,
 * what has come instead gets it. Otherwise Tab would start at the top of the page (WCAG 2.4.3).
 */
export const useKeptFocus = (): void => {
  useEffect(() => {
    let last: Element | undefined;
    let nextRow: Element | null | undefined;
    const remember = ({ target }: FocusEvent) => {
      last = target instanceof Element ? target : undefined;
      nextRow = last?.closest('.item')?.nextElementSibling;
    };
    const observer = new MutationObserver(() => {
      if (!last || last.isConnected || document.activeElement !== document.body) return;
      findNext(nextRow)?.focus({ preventScroll: true });
    });
    document.addEventListener('focusin', remember);
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      document.removeEventListener('focusin', remember);
      observer.disconnect();
    };
  }, []);
};
