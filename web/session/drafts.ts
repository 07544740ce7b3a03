import { useEffect } from 'react';
import { createStore } from '../page/store.ts';

const PREFIX = 'platform.draft.';

/** The number of forms on the page in which something was typed or chosen, and not sent since. */
export const unsavedForms = createStore(0);

/** Counts a form among them while `isChanged`, and until it is gone. */
export const useUnsaved = (isChanged: boolean): void =>
  useEffect(() => {
    if (!isChanged) return;
    unsavedForms.set(unsavedForms.get() + 1);
    return () => unsavedForms.set(unsavedForms.get() - 1);
  }, [isChanged]);

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
