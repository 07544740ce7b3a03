import { useWords } from '../../words/words.ts';
import { AUDIT_WORDS } from './audit-words.ts';
import { listChanges } from './changes.ts';

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
