import { useEffect } from 'react';
import { COMMON } from '../words/common.ts';
import { getWords } from '../words/words.ts';

/** Asks before a link, the back button or the browser leaves what was typed. */
export const useUnsavedChanges = (isDirty: boolean): void => {
  useEffect(() => {
    if (!isDirty) return;
    const askBrowser = (event: BeforeUnloadEvent) => event.preventDefault();
    const askAtLink = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
      const opensHere = link !== null && !link.getAttribute('target') && !event.ctrlKey && !event.metaKey;
      if (!opensHere || window.confirm(getWords(COMMON).unsavedChanges)) return;
      event.preventDefault();
      event.stopPropagation();
    };
    window.addEventListener('beforeunload', askBrowser);
    document.addEventListener('click', askAtLink, { capture: true });
    return () => {
      window.removeEventListener('beforeunload', askBrowser);
      document.removeEventListener('click', askAtLink, { capture: true });
    };
  }, [isDirty]);
};
