import { useEffect, useEffectEvent } from 'react';
import { useLocation } from 'wouter';
import { inBrowser } from '../../page/stored.ts';
import { isAfterPrefix, isDialogOpen, isTyping, MOVES, notePrefix, startSearch } from './list-keys.ts';

const KEY = 'platform.shortcuts';

export const areShortcutsOn = (): boolean => inBrowser.read(KEY) !== 'off';
export const saveShortcutsOn = (isOn: boolean): void => inBrowser.save(KEY, isOn ? 'on' : 'off');

/** The name of the key, as the keyboard of this system has it. */
export const controlKey = (): string => (/mac|iphone|ipad/i.test(navigator.platform) ? '⌘' : 'Ctrl');

/** Places that `g` and a letter open. */
export type Places = Record<string, { href: string; label: string }>;

type Shortcuts = {
  isOn: boolean;
  places: Places;
  showHelp: () => void;
  /** Opens the search for everything, which some roles do not have. */
  search?: (() => void) | undefined;
};

/** Saves the form of the field, unless its button is red. Nothing that mails somebody (`data-sends`) is saved. */
const save = (event: KeyboardEvent): void => {
  const form = event.target instanceof Element ? event.target.closest('form') : null;
  if (!form || form.querySelector('.button-danger')) return;
  event.preventDefault();
  if (!form.closest('[data-sends]')) form.requestSubmit();
};

/** Keys that work everywhere. Those of one letter can be switched off (WCAG 2.1.4). */
export const useShortcuts = ({ isOn, places, showHelp, search }: Shortcuts): void => {
  const [, navigate] = useLocation();
  const actions: Record<string, (event: KeyboardEvent) => void> = {
    '?': showHelp,
    '/': (event) => startSearch(event, search),
  };
  const pressOne = (event: KeyboardEvent, isPrefixed: boolean): void => {
    if (!isOn || event.defaultPrevented || isTyping(event) || event.altKey) return;
    const place = isPrefixed ? places[event.key.toLowerCase()] : undefined;
    if (place) navigate(place.href);
    else (actions[event.key] ?? MOVES[event.key])?.(event);
  };
  const press = useEffectEvent((event: KeyboardEvent, isPrefixed: boolean) => {
    if (!(event.ctrlKey || event.metaKey)) pressOne(event, isPrefixed);
    else if (event.key.toLowerCase() === 's' && !event.shiftKey) save(event);
    else if (event.key.toLowerCase() === 'k' && search) {
      event.preventDefault();
      // Over a page that is covered because its session has ended, it would show what was opened before.
      if (!isDialogOpen()) search();
    }
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      press(event, isAfterPrefix());
      notePrefix(event);
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
};
