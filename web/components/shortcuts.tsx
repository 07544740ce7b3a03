import { type ReactNode, useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { defineWords } from '../words/define-words.ts';
import { useWords } from '../words/words.ts';
import { Dialog } from './dialog.tsx';
import { KeyboardIcon } from './icons.tsx';

const WORDS = defineWords({
  en: {
    title: 'Keyboard shortcuts',
    search: 'Search',
    help: 'This help',
    move: 'Next and previous row',
    open: 'Open the row',
    close: 'Close a dialog',
    goTo: (place: string) => `Go to ${place}`,
    isOn: 'Shortcuts of single keys are on',
    shortcuts: 'Shortcuts',
  },
  de: {
    title: 'Tastenkürzel',
    search: 'Suchen',
    help: 'Diese Hilfe',
    move: 'Nächste und vorige Zeile',
    open: 'Zeile öffnen',
    close: 'Dialog schließen',
    goTo: (place) => `${place} öffnen`,
    isOn: 'Kürzel aus einzelnen Tasten sind an',
    shortcuts: 'Tastenkürzel',
  },
});

const KEY = 'platform.shortcuts';
export const readIsOn = (): boolean => {
  try {
    return localStorage.getItem(KEY) !== 'off';
  } catch {
    return true;
  }
};
const saveIsOn = (isOn: boolean): void => {
  try {
    localStorage.setItem(KEY, isOn ? 'on' : 'off');
  } catch {
    // The choice lasts until the page is left.
  }
};

export const isTyping = ({ target }: KeyboardEvent): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.closest('input, textarea, select, dialog[open]') !== null);

/** Rows of a list are the elements with `data-row`; its first link is what Enter opens. */
const moveInList = (step: 1 | -1): void => {
  const links = [...document.querySelectorAll<HTMLElement>('[data-row]')].flatMap(
    (row) => row.querySelector<HTMLElement>('a') ?? [],
  );
  const current = document.activeElement instanceof HTMLElement ? links.indexOf(document.activeElement) : -1;
  const start = step === 1 ? -1 : links.length;
  links[(current < 0 ? start : current) + step]?.focus();
};

const focusSearch = (event: KeyboardEvent): void => {
  document.querySelector<HTMLElement>('input[type=search]')?.focus();
  // The key must not be typed into the field.
  event.preventDefault();
};

const moveByArrow = (step: 1 | -1) => (event: KeyboardEvent) => {
  if (!document.activeElement?.closest('[data-row]')) return;
  event.preventDefault();
  moveInList(step);
};

/** `g` is the first key of two, for one and a half seconds. */
const PREFIX_MILLISECONDS = 1_500;

/** Places that `g` and a letter open. */
export type Places = Record<string, { href: string; label: string }>;

const useShortcuts = (isOn: boolean, places: Places, showHelp: () => void): void => {
  const [, navigate] = useLocation();
  useEffect(() => {
    if (!isOn) return;
    let prefixedAt = 0;
    const actions: Record<string, (event: KeyboardEvent) => void> = {
      g: () => {
        prefixedAt = Date.now();
      },
      '/': focusSearch,
      '?': showHelp,
      j: () => moveInList(1),
      k: () => moveInList(-1),
      ArrowDown: moveByArrow(1),
      ArrowUp: moveByArrow(-1),
    };
    const press = (event: KeyboardEvent) => {
      if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
      const place = Date.now() - prefixedAt < PREFIX_MILLISECONDS ? places[event.key] : undefined;
      prefixedAt = 0;
      if (place) navigate(place.href);
      else actions[event.key]?.(event);
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [isOn, places, navigate, showHelp]);
};

const Row = ({ keys, children }: { keys: string; children: ReactNode }) => (
  <div className="card-row">
    <dt>{children}</dt>
    <dd>
      {keys.split(' ').map((key) => (
        <kbd key={key} className="shortcut">
          {key}
        </kbd>
      ))}
    </dd>
  </div>
);

/** The button that opens the help, and the shortcuts themselves. They can be switched off (WCAG 2.1.4). */
export const Shortcuts = ({ places }: { places: Places }) => {
  const words = useWords(WORDS);
  const [isOpen, setOpen] = useState(false);
  const [isOn, setOn] = useState(readIsOn);
  const [showHelp] = useState(() => () => setOpen(true));
  useShortcuts(isOn, places, showHelp);
  return (
    <>
      <button type="button" className="nav-link" onClick={showHelp}>
        <KeyboardIcon />
        {words.shortcuts}
      </button>
      <Dialog title={words.title} isOpen={isOpen} onClose={() => setOpen(false)}>
        <label className="row">
          <input
            type="checkbox"
            checked={isOn}
            onChange={({ currentTarget: { checked } }) => {
              setOn(checked);
              saveIsOn(checked);
            }}
          />
          {words.isOn}
        </label>
        <dl className="card">
          <Row keys="/">{words.search}</Row>
          <Row keys="j k ↓ ↑">{words.move}</Row>
          <Row keys="Enter">{words.open}</Row>
          {Object.entries(places).map(([key, { label }]) => (
            <Row key={key} keys={`g ${key}`}>
              {words.goTo(label)}
            </Row>
          ))}
          <Row keys="Esc">{words.close}</Row>
          <Row keys="?">{words.help}</Row>
        </dl>
      </Dialog>
    </>
  );
};
