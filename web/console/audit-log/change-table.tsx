import { useWords } from '../../words/words.ts';
import { AUDIT_WORDS } from '../records/audit-words.ts';
import { markChange } from '../records/mark-change.ts';
import { listChanges } from '../records/record-changes.tsx';
import { AUDIT_LOG } from './audit-log-words.ts';

/** The old and the new value of each field that an edit has changed, side by side, with the words marked that differ. */
export const ChangeTable = ({ details }: { details: Record<string, unknown> }) => {
  const words = useWords(AUDIT_LOG);
  const { fieldNames } = useWords(AUDIT_WORDS);
  const changes = listChanges(details);
  if (changes.length === 0) return null;
  return (
    <table className="changes small">
      <thead>
        <tr>
          <th scope="col">{words.field}</th>
          <th scope="col">{words.before}</th>
          <th scope="col">{words.after}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ field, from, to }) => {
          const [start, old, end] = markChange(to, from);
          const [newStart, changed, newEnd] = markChange(from, to);
          return (
            <tr key={field}>
              <th scope="row">{fieldNames[field] ?? field}</th>
              <td>
                {start}
                <del>{old}</del>
                {end}
              </td>
              <td>
                {newStart}
                <ins>{changed}</ins>
                {newEnd}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
};
