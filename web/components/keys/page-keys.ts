import { useEffect, useEffectEvent } from 'react';
import { isAfterPrefix, isTyping } from './list-keys.ts';
import { areShortcutsOn } from './shortcuts.ts';

/** Whether the key only moves in a list, so that it repeats while it is held. */
const isMove = ({ key }: KeyboardEvent): boolean => 'jk'.includes(key.toLowerCase());

/** Single keys of one screen, in small letters. They can be switched off with the others (WCAG 2.1.4). */
export const usePageKeys = (
  keys: Readonly<Record<string, ((event: KeyboardEvent) => void) | undefined>>,
): void => {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event) || !areShortcutsOn()) return;
    // The second key of two opens a place: `g r` leads to the requests, also on a screen where `r` replies.
    if (isAfterPrefix()) return;
    // A key that is held acts once: otherwise `e` would mark the next requests, too.
    if (event.repeat && !isMove(event)) return;
    const act = keys[event.key.toLowerCase()];
    if (!act) return;
    // Neither a list nor a field that gets the focus takes the key as well.
    event.preventDefault();
    event.stopPropagation();
    act(event);
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event);
    document.addEventListener('keydown', listen, true);
    return () => document.removeEventListener('keydown', listen, true);
  }, []);
};
