import { useEffect } from 'react';
import { pageState } from './page-state.ts';
import { getSettings } from './settings.ts';

/** Names the screen, never a person, because titles appear in the history and on shared screens. */
export const useTitle = (title: string): void => {
  useEffect(() => {
    document.title = `${title} – ${getSettings().productName}`;
    return () => pageState.set({ hasLeftScreen: true });
  }, [title]);
};

/** Moves the focus to the heading of a new screen, so that a screen reader announces it. */
export const useScreenFocus = (title: string): void => {
  // biome-ignore lint/correctness/useExhaustiveDependencies: a screen is new when its title is another one.
  useEffect(() => {
    // The browser announces the title of the first screen, and has put the focus into a field.
    if (!pageState.get().hasLeftScreen) return;
    // The person has opened a menu meanwhile, which would close, or has gone back to the row of a list.
    if (document.activeElement?.closest('[role=menu], [data-row]')) return;
    document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true });
  }, [title]);
};
