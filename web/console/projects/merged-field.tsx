import { type ReactNode, useId } from 'react';
import { Button } from '../../components/button.tsx';
import { Notice } from '../../components/notice.tsx';
import { formatTime } from '../../words/formats.ts';
import { useWords } from '../../words/words.ts';
import { markChange } from '../records/mark-change.ts';
import { PROJECTS } from './project-words.ts';

/** The colleague who has changed a field meanwhile, and the time. */
export type Author = { name: string | undefined; at: Date };
/** The colleague's value is in the form; `was` is what it replaced. */
export type Taken = { was: string; author: Author };
export type Choice = 'mine' | 'theirs' | 'third';
export type Conflict = {
  /** The value before both changes. */
  base: string;
  mine: string;
  theirs: string;
  author: Author;
  choice: Choice;
};

const useName = () => {
  const words = useWords(PROJECTS);
  return ({ name }: Author): string => name ?? words.somebody;
};

type ConflictNoticeProps = {
  author: Author;
  taken: string;
  both: string;
  onGo: () => void;
};

/** Names the colleague who has saved the project meanwhile, the merged fields, and those to choose. */
export const ConflictNotice = ({ author, taken, both, onGo }: ConflictNoticeProps) => {
  const words = useWords(PROJECTS);
  const nameOf = useName();
  return (
    <div role="alert">
      <Notice
        look="warn"
        title={words.savedMeanwhile(nameOf(author), formatTime(author.at))}
        action={both && <Button onClick={onGo}>{words.goToIt}</Button>}
      >
        {taken && words.merged(taken)} {both && words.changedByBoth(both)} {words.nothingSavedYet}
      </Notice>
    </div>
  );
};

const LONGEST_OLD_VALUE = 120;
const shorten = (text: string): string =>
  text.length > LONGEST_OLD_VALUE ? `${text.slice(0, LONGEST_OLD_VALUE)} …` : text;

/** The note below a field whose new value came from a colleague. */
export const TakenNote = ({ was, author }: Taken) => {
  const words = useWords(PROJECTS);
  const nameOf = useName();
  return <p className="muted small">{words.takenFrom(nameOf(author), shorten(was))}</p>;
};

const Marked = ({ base, text }: { base: string; text: string }) => {
  const [start, changed, end] = markChange(base, text);
  return (
    <span className="text-lines">
      {start}
      {changed && <ins>{changed}</ins>}
      {end}
    </span>
  );
};

type ConflictFieldProps = {
  id: string;
  label: string;
  conflict: Conflict;
  /** How a value is shown: a category has a name. */
  toText: (value: string) => string;
  onChoose: (choice: Choice) => void;
};

/** Both versions of one field, side by side. */
export const ConflictField = ({ id, label, conflict, toText, onChoose }: ConflictFieldProps) => {
  const words = useWords(PROJECTS);
  const nameOf = useName();
  const name = useId();
  const { base, author, choice } = conflict;
  const sides = [
    ['mine', words.yours, words.notSaved],
    ['theirs', words.theirs(nameOf(author)), formatTime(author.at)],
  ] as const;
  return (
    <fieldset id={id} className="field">
      <legend>{label}</legend>
      <div className="merge">
        <div className="merge-head">
          <span>{words.chooseOne}</span>
          <Button isSmall onClick={() => onChoose('third')}>
            {words.writeThird}
          </Button>
        </div>
        <div className="merge-sides">
          {sides.map(([side, title, when]) => (
            <label key={side} className="merge-side">
              <span className="merge-side-head">
                <input type="radio" name={name} checked={choice === side} onChange={() => onChoose(side)} />
                {title} <span className="muted small">{when}</span>
              </span>
              <Marked base={toText(base)} text={toText(conflict[side])} />
            </label>
          ))}
        </div>
      </div>
    </fieldset>
  );
};

/** Lists the fields that the button will save, and those that stay as the colleague saved them. */
export const SaveSummary = ({ saved, kept }: { saved: string; kept: string }): ReactNode => {
  const words = useWords(PROJECTS);
  return (
    <span className="muted small" role="status">
      {saved ? words.willBeSaved(saved) : words.nothingChanged} {kept && words.stays(kept)}
    </span>
  );
};
