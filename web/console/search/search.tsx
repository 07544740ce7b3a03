import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useLocation, useRouter } from 'wouter';
import { Avatar } from '../../components/avatar.tsx';
import { FolderIcon, RequestIcon, RightIcon, SearchIcon, VerifiedIcon } from '../../components/icons.tsx';
import { SEARCHED, useFirstHit } from '../../components/keys/first-hit.ts';
import { State } from '../../components/state.tsx';
import { useWords } from '../../words/words.ts';
import type { Hit, Kind } from '../records/recent.ts';
import { noteOpened, readOpened } from '../records/recent.ts';
import { type HitGroup, useHits } from './hits.ts';
import { SEARCH } from './search-words.ts';

const TYPING_MILLISECONDS = 250;
const LIST = 'search-hits';
const optionId = (index: number): string => `search-hit-${index}`;

/** Marks the part of a text that matches, in any letter case. */
const Marked = ({ text, search }: { text: string; search: string }) => {
  const start = search === '' ? -1 : text.toLowerCase().indexOf(search.toLowerCase());
  if (start < 0) return <bdi>{text}</bdi>;
  return (
    <bdi>
      {text.slice(0, start)}
      <mark>{text.slice(start, start + search.length)}</mark>
      {text.slice(start + search.length)}
    </bdi>
  );
};

const ICONS: Record<Kind, (hit: Hit) => ReactNode> = {
  person: ({ name }) => <Avatar name={name} />,
  project: () => <FolderIcon />,
  team: () => <VerifiedIcon />,
  request: () => <RequestIcon />,
  command: () => <RightIcon />,
};

type OptionProps = { hit: Hit; index: number; isChosen: boolean; search: string; onOpen: () => void };

const Option = ({ hit, index, isChosen, search, onOpen }: OptionProps) => (
  // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus, and its keys.
  // biome-ignore lint/a11y/useFocusableInteractive: the field has the focus, and names the chosen option.
  <div id={optionId(index)} role="option" aria-selected={isChosen} className="palette-item" onClick={onOpen}>
    {ICONS[hit.kind](hit)}
    <span className="text-name text-cut">
      <Marked text={hit.name} search={search} />
    </span>
    {hit.detail && (
      <span className="muted text-cut">
        <Marked text={hit.detail} search={search} />
      </span>
    )}
    {hit.state && <State look={hit.state.look}>{hit.state.word}</State>}
  </div>
);

const useDebounced = (text: string): string => {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), TYPING_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
};

const matches = (text: string) => (hit: Hit) => hit.name.toLowerCase().includes(text.toLowerCase());

type SearchProps = { commands: readonly Hit[]; onClose: () => void };

/** The list for a text: opened pages, hits and commands; after `>` only commands. */
const useGroups = (text: string, commands: readonly Hit[]) => {
  const words = useWords(SEARCH);
  const isCommand = text.startsWith('>');
  const typed = (isCommand ? text.slice(1) : text).trim();
  const settled = useDebounced(typed);
  const { groups, isAnswered, hasFailed } = useHits(isCommand ? '' : settled);
  const [opened] = useState(readOpened);
  const found: HitGroup = { label: words.commands, hits: commands.filter(matches(typed)) };
  const recent: HitGroup = { label: words.recent, hits: typed === '' && !isCommand ? opened : [] };
  return {
    typed,
    isAnswered: isCommand || (isAnswered && settled === typed),
    hasFailed,
    groups: [recent, ...groups, found].filter(({ hits }) => hits.length > 0),
  };
};

/** One search for people, projects, teams, requests, ids and commands, over any screen. */
export const Search = ({ commands, onClose }: SearchProps) => {
  const words = useWords(SEARCH);
  const [, navigate] = useLocation();
  const { base } = useRouter();
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const { typed, groups, isAnswered, hasFailed } = useGroups(text, commands);
  const hits = groups.flatMap((group) => group.hits);
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const { current } = dialog;
    const opener = document.activeElement;
    current?.showModal();
    return () => {
      current?.close();
      if (opener instanceof HTMLElement && document.activeElement === document.body) opener.focus();
    };
  }, []);
  const open = (hit: Hit | undefined, inNewTab = false): void => {
    if (!hit) return;
    noteOpened(hit);
    onClose();
    if (inNewTab) window.open(base + hit.href, '_blank', 'noopener');
    // The list beside a request has the hits of the same search, with the place of this one.
    else navigate(hit.href, { state: hit.kind === 'request' ? { search: typed } : null });
  };
  const firstHit = useFirstHit({
    answered: isAnswered ? text : undefined,
    openFirst: () => open(hits[0]),
  });
  const press = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      const next = (chosen + step + hits.length) % Math.max(1, hits.length);
      setChosen(next);
      document.getElementById(optionId(next))?.scrollIntoView({ block: 'nearest' });
    } else if (event.key !== 'Enter') return;
    else if (isAnswered) open(hits[chosen], event.ctrlKey || event.metaKey);
    else firstHit.open(text);
    event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog.
    <dialog
      ref={dialog}
      className="palette"
      aria-label={words.title}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={({ target, currentTarget }) => {
        if (target === currentTarget) onClose();
      }}
    >
      <div className="palette-field">
        <SearchIcon />
        <input
          className="palette-input"
          role="combobox"
          aria-label={words.search}
          aria-expanded={hits.length > 0}
          aria-controls={LIST}
          aria-autocomplete="list"
          aria-activedescendant={hits.length > 0 ? optionId(chosen) : undefined}
          placeholder={words.placeholder}
          {...SEARCHED}
          value={text}
          onChange={({ currentTarget }) => {
            setText(currentTarget.value);
            setChosen(0);
            firstHit.cancel();
          }}
          onKeyDown={press}
        />
        <kbd className="shortcut">Esc</kbd>
      </div>
      <div id={LIST} role="listbox" aria-label={words.hits} className="palette-list">
        {groups.map((group) => (
          // biome-ignore lint/a11y/useSemanticElements: a list box has groups, and no fieldset.
          <div key={group.label} role="group" aria-label={group.label}>
            <div className="palette-group" aria-hidden="true">
              {group.label}
            </div>
            {group.hits.map((hit) => (
              <Option
                key={hit.href}
                hit={hit}
                index={hits.indexOf(hit)}
                isChosen={hits.indexOf(hit) === chosen}
                search={typed}
                onOpen={() => open(hit)}
              />
            ))}
          </div>
        ))}
      </div>
      <div role="status" className={hits.length === 0 || hasFailed ? 'palette-foot' : 'visually-hidden'}>
        {isAnswered && hasFailed && words.failed}
        {isAnswered && !hasFailed && (hits.length === 0 ? words.nothing : words.found(hits.length))}
      </div>
      <div className="palette-foot" aria-hidden="true">
        {(
          [
            ['↑ ↓', words.choose],
            ['⏎', words.open],
            ['Ctrl ⏎', words.newTab],
            ['>', words.commandsOnly],
          ] as const
        ).map(([keys, what]) => (
          <span key={keys}>
            <kbd className="shortcut">{keys}</kbd> {what}
          </span>
        ))}
      </div>
    </dialog>
  );
};
