import { lazy, useEffect } from 'react';
import { Button } from '../../components/button.tsx';
import { LazyDialog } from '../../components/frame/lazy-dialog.tsx';
import { SearchIcon } from '../../components/icons.tsx';
import { controlKey, type Places } from '../../components/keys/shortcuts.ts';
import { useWords } from '../../words/words.ts';
import { SEARCH } from './search-words.ts';

const load = async () => ({ default: (await import('./search.tsx')).Search });
const Search = lazy(load);

/** The entry in the side bar. */
export const SearchButton = ({ onOpen }: { onOpen: () => void }) => {
  const words = useWords(SEARCH);
  return (
    <button
      type="button"
      className="palette-button"
      aria-keyshortcuts="Meta+K Control+K"
      title={words.search}
      onClick={onOpen}
    >
      <SearchIcon />
      <span>{words.title}</span>
      <kbd className="shortcut">{controlKey()} K</kbd>
    </button>
  );
};

/** The entry in the bar of narrow screens. */
export const SearchIconButton = ({ onOpen }: { onOpen: () => void }) => {
  const words = useWords(SEARCH);
  return (
    <Button look="icon" aria-label={words.search} title={words.search} onClick={onOpen}>
      <SearchIcon />
    </Button>
  );
};

type PaletteProps = { isOpen: boolean; onClose: () => void; places: Places };

/** The search for everything with the places as commands. */
export const Palette = ({ isOpen, onClose, places }: PaletteProps) => {
  const words = useWords(SEARCH);
  useEffect(() => {
    // Loaded while the page is idle; Safari has no callback for that.
    (window.requestIdleCallback ?? setTimeout)(() => void load().catch(() => undefined));
  }, []);
  if (!isOpen) return null;
  const commands = [
    ...Object.values(places).map(({ href, label }) => ({
      kind: 'command' as const,
      href,
      name: words.goTo(label),
    })),
    { kind: 'command' as const, href: '/colleagues?invite=true', name: words.invite },
  ];
  return (
    <LazyDialog onClose={onClose}>
      <Search commands={commands} onClose={onClose} />
    </LazyDialog>
  );
};
