import { createContext, type ReactNode, useContext } from 'react';

/**
 * Inside a dialog: what to show while a write waits for its response. In a file of its own, so that a page without
 * dialogs loads none.
 */
export const InDialog = createContext<{ whilePending: ReactNode } | undefined>(undefined);

/** In a dialog, the harmless button comes first. */
export const useIsInDialog = (): boolean => useContext(InDialog) !== undefined;
