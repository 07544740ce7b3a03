import { createStore } from '../page/store.ts';

const PREFIX = 'platform.draft.';

/** Whether something was typed or chosen in a form of the page, and not sent since. */
export const hasUnsaved = createStore(false);

/** Texts that were typed and not sent. They survive a reload, in this tab only. */
export const readDraft = (name: string): string => {
  try {
    return sessionStorage.getItem(PREFIX + name) ?? '';
  } catch {
    return '';
  }
};

export const saveDraft = (name: string, text: string): void => {
  try {
    if (text) sessionStorage.setItem(PREFIX + name, text);
    else sessionStorage.removeItem(PREFIX + name);
  } catch {
    // A full or disabled storage must not disturb typing.
  }
};

export const deleteDrafts = (): void => {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
};
