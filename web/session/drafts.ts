import { useEffect, useSyncExternalStore } from 'react';
import { pageState } from '../page/page-state.ts';
import { inTab } from '../page/stored.ts';

const PREFIX = 'platform.draft.';

/** Whether something was typed or chosen in a form of the page, and not sent since. */
export const hasUnsaved = (): boolean => pageState.get().unsavedForms > 0;
export const useHasUnsaved = (): boolean => pageState.use(({ unsavedForms }) => unsavedForms > 0);

const countUnsaved = (step: 1 | -1): void =>
  pageState.set({ unsavedForms: pageState.get().unsavedForms + step });

/** Counts a form as unsaved while `isChanged`, and until it is gone. */
export const useUnsaved = (isChanged: boolean): void =>
  useEffect(() => {
    if (!isChanged) return;
    countUnsaved(1);
    return () => countUnsaved(-1);
  }, [isChanged]);

/** The event goes to `window` when a draft is written: browsers report a change of the storage to other tabs only. */
const CHANGE = 'platform:draft';

/** Texts that were typed and not sent. They survive a reload, in this tab only. */
export const readDraft = (name: string): string => inTab.read(PREFIX + name);

export const saveDraft = (name: string, text: string): void => {
  inTab.save(PREFIX + name, text);
  window.dispatchEvent(new Event(CHANGE));
};

export const hasDraft = (name: string): boolean => readDraft(name).trim() !== '';

const subscribe = (listener: () => void): (() => void) => {
  window.addEventListener(CHANGE, listener);
  return () => window.removeEventListener(CHANGE, listener);
};
export const useHasDraft = (name: string): boolean => useSyncExternalStore(subscribe, () => hasDraft(name));

export const deleteDrafts = (): void => {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
};
