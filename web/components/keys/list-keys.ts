import { pageState } from '../../page/page-state.ts';

/** Looks at the document and not at the focus, because a click on the text of a dialog moves the focus to the body. */
export const isDialogOpen = (): boolean => document.querySelector('dialog[open]') !== null;

/** Whether a letter is text, or belongs to the menu or to the dialog on top. */
export const isTyping = ({ target }: KeyboardEvent): boolean =>
  isDialogOpen() ||
  (target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.closest('input:not([type=checkbox]), textarea, select, [role=menu]') !== null));

/** `g` is the first key of two, for one and a half seconds. */
const PREFIX_MILLISECONDS = 1_500;

export const isAfterPrefix = (): boolean => Date.now() - pageState.get().prefixedAt < PREFIX_MILLISECONDS;
/** Any key but the first `g` ends it. */
export const notePrefix = ({ key }: KeyboardEvent): void => {
  pageState.set({ prefixedAt: key === 'g' && !isAfterPrefix() ? Date.now() : 0 });
};

/**
 * Rows of a list are the elements with `data-row`; Enter opens what `data-open` marks, else the first link.
 * `data-act` marks a button that changes something, which only its own Enter presses.
 */
const listRows = (isMeant: (id: string) => boolean = () => true): HTMLElement[] =>
  [...document.querySelectorAll<HTMLElement>('[data-row]')]
    .filter(({ dataset }) => isMeant(dataset['row'] ?? ''))
    .flatMap(
      (row) =>
        row.querySelector<HTMLElement>('[data-open], [data-act]') ??
        row.querySelector<HTMLElement>('a, button') ??
        [],
    );

export const focusRow = (isMeant: (id: string) => boolean): void => listRows(isMeant)[0]?.focus();

const indexOfCurrent = (rows: readonly HTMLElement[]): number => {
  const current = document.activeElement?.closest('[data-row]');
  return current ? rows.findIndex((row) => current.contains(row)) : -1;
};

/** Focuses the next or previous row; if no row has the focus, the first or last one. */
const moveInList = (step: 1 | -1): void => {
  const rows = listRows();
  const current = indexOfCurrent(rows);
  const start = step === 1 ? -1 : rows.length;
  rows[(current < 0 ? start : current) + step]?.focus();
};

const findSearch = (): HTMLInputElement | null =>
  document.querySelector<HTMLInputElement>('main input[type=search]');

/** Selects what was searched before, so that typing replaces it. Without a list, it searches everything. */
export const startSearch = (event: KeyboardEvent, searchEverything?: () => void): void => {
  const field = findSearch();
  field?.focus();
  field?.select();
  if (!field) searchEverything?.();
  // The key must not be typed into the field.
  event.preventDefault();
};

/** Arrows move in a list that has the focus; up from the first row leads back to the search. */
const moveByArrow = (event: KeyboardEvent, step: 1 | -1): void => {
  const rows = listRows();
  const current = indexOfCurrent(rows);
  if (current < 0) return;
  event.preventDefault();
  if (current === 0 && step === -1) findSearch()?.focus();
  else moveInList(step);
};

/** The keys that move in lists. */
export const MOVES: Readonly<Record<string, (event: KeyboardEvent) => void>> = {
  j: () => moveInList(1),
  k: () => moveInList(-1),
  ArrowDown: (event) => moveByArrow(event, 1),
  ArrowUp: (event) => moveByArrow(event, -1),
};

export const openFirstRow = (): void => {
  const [first] = listRows();
  if (first?.matches('[data-act]')) first.focus();
  else first?.click();
};
