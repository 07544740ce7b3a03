import { useWords } from '../../words/words.ts';
import { AUDIT_WORDS } from './audit-words.ts';

type Change = { field: string; from: string; to: string };

const isChange = (value: unknown): value is { from: unknown; to: unknown } =>
  typeof value === 'object' && value !== null && 'from' in value && 'to' in value;

const MAX_LENGTH = 300;

/** A description may have 100 kB. The page of the project shows it all. */
const shorten = (value: unknown): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)} …` : text;
};

/** The changes of an edit, from the details of its record. */
export const listChanges = ({ changes }: Record<string, unknown>): Change[] =>
  typeof changes === 'object' && changes !== null
    ? Object.entries(changes).flatMap(([field, value]) =>
        isChange(value) ? [{ field, from: shorten(value.from), to: shorten(value.to) }] : [],
      )
    : [];

type ChangesProps = { details: Record<string, unknown> };

/** The old and the new value of each field that an edit has changed. */
export const RecordChanges = ({ details }: ChangesProps) => {
  const { fieldNames } = useWords(AUDIT_WORDS);
  const changes = listChanges(details);
  if (changes.length === 0) return null;
  return (
    <div className="sentence-changes small">
      {changes.map(({ field, from, to }) => (
        <div key={field}>
          <span className="muted">{fieldNames[field] ?? field}: </span>
          <del>{from}</del> → <ins>{to}</ins>
        </div>
      ))}
    </div>
  );
};
