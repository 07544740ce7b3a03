import { useEffect } from 'react';
import { getSettings } from './settings.ts';
import { createStore } from './store.ts';

/** False once a screen was left. A page that signs in is a screen too. */
const firstScreen = createStore(true);

/** Names the screen, never a person, because titles appear in the history and on shared screens. */
export const useTitle = (title: string): void => {
  useEffect(() => {
    document.title = `${title} – ${getSettings().productName}`;
    return () => firstScreen.set(false);
  }, [title]);
};

/** Moves the focus to the heading of a new screen, so that a screen reader announces it. */
export const useScreenFocus = (title: string): void => {
  // biome-ignore lint/correctness/useExhaustiveDependencies: a screen is new when its title is another one.
  useEffect(() => {
    // The browser announces the title of the first screen, and has put the focus into a field.
    if (firstScreen.get()) return;
    // The person has opened a menu meanwhile, which would close, or has gone back to the row of a list.
    if (document.activeElement?.closest('[role=menu], [data-row]')) return;
    document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true });
  }, [title]);
};
