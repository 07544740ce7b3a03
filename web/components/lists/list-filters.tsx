import { type KeyboardEvent, type ReactNode, useEffect, useEffectEvent, useId, useState } from 'react';
import { COMMON } from '../../words/common.ts';
import { useWords } from '../../words/words.ts';
import { CloseIcon, SearchIcon } from '../icons.tsx';
import { SEARCHED, useFirstHit } from '../keys/first-hit.ts';
import { focusRow, openFirstRow } from '../keys/list-keys.ts';

const TYPING_MILLISECONDS = 250;

type Search = { search: string; setSearch: (text: string) => void };
type SearchFieldProps = {
  list: Search;
  query: { data: unknown; isPlaceholderData: boolean };
  label: string;
  /** Called on Enter with the text; true if it has led elsewhere, such as to the user with this id. */
  onEnter?: ((text: string) => boolean) | undefined;
};

/**
 * `/` focuses it and selects its text. The list follows 250 ms after the last key. ↓ leads to the first row, Enter
 * opens the first hit, and Escape leaves the field with its text.
 */
export const SearchField = ({ list: { search, setSearch }, query, label, onEnter }: SearchFieldProps) => {
  const words = useWords(COMMON);
  const [text, setText] = useState(search);
  // Back, forward and "Remove all filters" change the search from outside.
  const [known, setKnown] = useState(search);
  if (search !== known) {
    setKnown(search);
    setText(search);
  }
  const firstHit = useFirstHit({
    answered: query.data !== undefined && !query.isPlaceholderData ? search : undefined,
    openFirst: openFirstRow,
  });
  const follow = useEffectEvent(() => {
    firstHit.cancel();
    setSearch(text);
  });
  useEffect(() => {
    if (text === search) return;
    const timer = setTimeout(follow, TYPING_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [text, search]);
  const enter = (): void => {
    if (onEnter?.(text.trim())) return;
    setSearch(text);
    firstHit.open(text);
  };
  const press = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.key === 'Enter') enter();
    else if (event.key === 'ArrowDown') focusRow(() => true);
    // The browser would empty the field, and show everybody. Single keys act again, and Tab goes on from here.
    else if (event.key === 'Escape') document.querySelector('h1')?.focus({ preventScroll: true });
    else return;
    event.preventDefault();
  };
  return (
    <div className="search-field">
      <SearchIcon />
      <input
        type="search"
        className="field-input"
        aria-label={label}
        aria-keyshortcuts="/"
        placeholder={label}
        {...SEARCHED}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={press}
      />
      {text === '' ? (
        <kbd className="shortcut">/</kbd>
      ) : (
        <button
          type="button"
          className="search-field-clear"
          aria-label={words.clearSearch}
          title={words.clearSearch}
          onClick={({ currentTarget }) => {
            setText('');
            currentTarget.parentElement?.querySelector('input')?.focus();
          }}
        >
          <CloseIcon />
        </button>
      )}
    </div>
  );
};

type FilterProps = {
  label: string;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
};

export const FilterDay = ({ label, value = '', onChange }: FilterProps) => {
  const id = useId();
  return (
    <div className="field">
      <label className="toolbar-label" htmlFor={id}>
        {label}
      </label>
      <input
        id={id}
        type="date"
        className="field-input"
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value || undefined)}
      />
    </div>
  );
};

/** Shows a filter that was set elsewhere, such as the user whose log is shown, with a cross that removes it. */
export const Chip = ({
  label,
  children,
  onRemove,
}: {
  label: string;
  children: ReactNode;
  onRemove: () => void;
}) => {
  const words = useWords(COMMON);
  return (
    <span className="chip">
      <span>
        {label}: {children}
      </span>
      <button type="button" className="chip-remove" aria-label={words.removeFilter(label)} onClick={onRemove}>
        <CloseIcon />
      </button>
    </span>
  );
};

/** The row of search and filters above a list. */
export const Filters = ({ children }: { children: ReactNode }) => (
  <div className="toolbar-filters">{children}</div>
);
