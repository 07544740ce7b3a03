import { COMMON } from '../../words/common.ts';
import { defineWords } from '../../words/define-words.ts';
import { useWords } from '../../words/words.ts';
import { Button } from '../button.tsx';
import { Dialog } from '../dialogs/dialog.tsx';
import { CheckBox } from '../forms/fields.tsx';
import { controlKey, type Places } from '../keys/shortcuts.ts';

const WORDS = defineWords({
  en: {
    everywhere: 'Everywhere',
    lists: 'Lists and queues',
    searchAll: 'Search everything',
    help: 'This list',
    search: 'Search in the list',
    toFirst: 'From the search to the first hit',
    move: 'Next, previous',
    open: 'Open',
    select: 'Select, select a range',
    done: 'Done (or verify) and next',
    assign: 'Assign to me',
    note: 'Add a note',
    reply: 'Reply',
    close: 'Close, clear the selection',
    send: 'Send what is written',
    save: 'Save the form',
    isOn: 'Shortcuts of one key',
  },
  de: {
    everywhere: 'Überall',
    lists: 'Listen und Warteschlangen',
    searchAll: 'Alles durchsuchen',
    help: 'Diese Übersicht',
    search: 'In der Liste suchen',
    toFirst: 'Von der Suche zum ersten Treffer',
    move: 'Nächste, vorige Zeile',
    open: 'Öffnen',
    select: 'Auswählen, Bereich auswählen',
    done: 'Erledigt (oder freigeben) und weiter',
    assign: 'Mir zuweisen',
    note: 'Notiz schreiben',
    reply: 'Antworten',
    close: 'Schließen, Auswahl aufheben',
    send: 'Geschriebenes senden',
    save: 'Formular speichern',
    isOn: 'Kürzel aus einer Taste',
  },
});

type Row = readonly [label: string, keys: readonly string[]];

const Keys = ({ title, rows }: { title: string; rows: readonly Row[] }) => (
  <section className="stack-small">
    <h3>{title}</h3>
    <dl>
      {rows.map(([label, keys]) => (
        <div key={label} className="shortcut-row">
          <dt>{label}</dt>
          <dd>
            {keys.map((key) => (
              <kbd key={key} className="shortcut">
                {key}
              </kbd>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  </section>
);

type DialogProps = {
  onClose: () => void;
  places: Places;
  isOn: boolean;
  onSwitch: (isOn: boolean) => void;
  /** Whether the role has lists, and the search for everything. */
  hasLists: boolean;
};

/** All keys, with Close, a cross, Escape and a click beside it. */
export const ShortcutsDialog = ({ onClose, places, isOn, onSwitch, hasLists }: DialogProps) => {
  const words = useWords(WORDS);
  const common = useWords(COMMON);
  const everywhere: Row[] = [
    ...(hasLists ? [[words.searchAll, [controlKey(), 'K']] as const] : []),
    [words.help, ['?']],
    ...Object.entries(places).map(([key, { label }]) => [label, ['G', key.toUpperCase()]] as const),
  ];
  const lists: Row[] = [
    [words.search, ['/']],
    [words.toFirst, ['↓']],
    [words.move, ['J', 'K']],
    [words.open, ['⏎']],
    [words.select, ['X', '⇧X']],
    [words.done, ['E']],
    [words.assign, ['A']],
    [words.note, ['N']],
    [words.reply, ['R']],
    [words.send, [controlKey(), '⏎']],
    [words.save, [controlKey(), 'S']],
    [words.close, ['Esc']],
  ];
  return (
    <Dialog title={common.shortcuts} isOpen onClose={onClose} isWide closesOutside>
      <div className="shortcut-columns">
        <Keys title={words.everywhere} rows={everywhere} />
        {hasLists && <Keys title={words.lists} rows={lists} />}
      </div>
      <div className="dialog-foot">
        <CheckBox checked={isOn} onChange={({ currentTarget }) => onSwitch(currentTarget.checked)}>
          {words.isOn}
        </CheckBox>
        <Button onClick={onClose}>{common.close}</Button>
      </div>
    </Dialog>
  );
};
