import { type ReactNode, useEffect, useId, useState } from 'react';
import { COMMON } from '../words/common.ts';
import { useWords } from '../words/words.ts';
import { CloseIcon } from './icons.tsx';

const TYPING_MILLISECONDS = 250;

type Search = { search: string; setSearch: (text: string) => void };
type SearchFieldProps = {
  list: Search;
  label: string;
  /** Called on Enter with the text; true if it has led elsewhere, such as to the user with this id. */
  onEnter?: (text: string) => boolean;
};

/** `/` focuses it. The list follows 250 ms after the last key. */
export const SearchField = ({ list, label, onEnter }: SearchFieldProps) => {
  const id = useId();
  const { search, setSearch } = list;
  const [text, setText] = useState(search);
  // Back, forward and "Remove all filters" change the search from outside.
  useEffect(() => setText(search), [search]);
  useEffect(() => {
    if (text === search) return;
    const timer = setTimeout(() => setSearch(text), TYPING_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [text, search, setSearch]);
  return (
    <div className="field field-search">
      <label className="field-label-small" htmlFor={id}>
        {label}
      </label>
      <input
        id={id}
        type="search"
        className="input"
        maxLength={255}
        spellCheck={false}
        autoComplete="off"
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={({ key }) => {
          if (key === 'Enter' && !onEnter?.(text.trim())) setSearch(text);
        }}
      />
    </div>
  );
};

type FilterSelectProps = {
  label: string;
  value: string | undefined;
  options: Readonly<Record<string, string>>;
  onChange: (value: string | undefined) => void;
};

export const FilterSelect = ({ label, value = '', options, onChange }: FilterSelectProps) => {
  const words = useWords(COMMON);
  const id = useId();
  return (
    <div className="field">
      <label className="field-label-small" htmlFor={id}>
        {label}
      </label>
      <select
        id={id}
        className="select"
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value || undefined)}
      >
        <option value="">{words.any}</option>
        {Object.entries(options).map(([name, text]) => (
          <option key={name} value={name}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
};

/** A filter that was set elsewhere, such as the user whose log is shown. */
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

/** The row above a list. */
export const Filters = ({ children }: { children: ReactNode }) => <div className="filters">{children}</div>;
