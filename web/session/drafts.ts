import { useEffect, useSyncExternalStore } from 'react';
import { createStore } from '../page/store.ts';
import { inTab } from '../page/stored.ts';

const PREFIX = 'platform.draft.';

/** The number of forms on the page in which something was typed or chosen, and not sent since. */
export const unsavedForms = createStore(0);

/** Whether what was typed has outlived its session, and nothing was sent since. */
export const hasOutlived = createStore(false);

/** Counts a form among them while `isChanged`, and until it is gone. */
export const useUnsaved = (isChanged: boolean): void =>
  useEffect(() => {
    if (!isChanged) return;
    unsavedForms.set(unsavedForms.get() + 1);
    return () => unsavedForms.set(unsavedForms.get() - 1);
  }, [isChanged]);

const changes = createStore(undefined);

/** Texts that were typed and not sent. They survive a reload, in this tab only. */
export const readDraft = (name: string): string => inTab.read(PREFIX + name);

export const saveDraft = (name: string, text: string): void => {
  inTab.save(PREFIX + name, text);
  changes.set(undefined);
};

export const hasDraft = (name: string): boolean => readDraft(name).trim() !== '';
export const useHasDraft = (name: string): boolean =>
  useSyncExternalStore(changes.subscribe, () => hasDraft(name));

export const deleteDrafts = (): void => {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
};
