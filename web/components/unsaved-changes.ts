import { useEffect } from 'react';
import { COMMON } from '../words/common.ts';
import { getWords } from '../words/words.ts';

/** The Navigation API, which TypeScript's DOM library does not have yet. */
type NavigateEvent = Event & { destination: { url: string } };
type Navigation = {
  addEventListener: (name: 'navigate', listener: (event: NavigateEvent) => void) => void;
  removeEventListener: (name: 'navigate', listener: (event: NavigateEvent) => void) => void;
};

/** Dialogs and the steps of a sign-in have history entries with the address of the page. */
const leavesPage = ({ destination }: NavigateEvent): boolean => {
  const { pathname, search } = new URL(destination.url);
  return pathname !== window.location.pathname || search !== window.location.search;
};

/** Asks before the page is left: by a link, the back button, a reload or by closing the tab. */
export const useUnsavedChanges = (hasChanges: boolean): void => {
  useEffect(() => {
    if (!hasChanges) return;
    const { navigation } = window as unknown as { navigation?: Navigation };
    // The browser asks in its own words when the document is left.
    const beforeUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    const beforeNavigation = (event: NavigateEvent) => {
      if (event.cancelable && leavesPage(event) && !window.confirm(getWords(COMMON).unsavedChanges))
        event.preventDefault();
    };
    window.addEventListener('beforeunload', beforeUnload);
    navigation?.addEventListener('navigate', beforeNavigation);
    return () => {
      window.removeEventListener('beforeunload', beforeUnload);
      navigation?.removeEventListener('navigate', beforeNavigation);
    };
  }, [hasChanges]);
};
