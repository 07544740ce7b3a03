/** A full storage, or one that is switched off, must not disturb the page. */
const createStored = (find: () => Storage) => ({
  read: (key: string): string => {
    try {
      return find().getItem(key) ?? '';
    } catch {
      return '';
    }
  },
  /** An empty text is removed. */
  save: (key: string, text: string): void => {
    try {
      if (text) find().setItem(key, text);
      else find().removeItem(key);
    } catch {
      // Without storage, the text is lost when the page is left.
    }
  },
});

/** Texts that this browser keeps. */
export const inBrowser = createStored(() => localStorage);
/** Texts that this tab keeps, also when it loads the page again. */
export const inTab = createStored(() => sessionStorage);
