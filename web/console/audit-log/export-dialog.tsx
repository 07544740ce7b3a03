import { useState } from 'react';
import { type DialogState, WriteDialog } from '../../components/forms/action-dialog.tsx';
import { saveFile } from '../../page/save-file.ts';
import { formatNumber } from '../../words/formats.ts';
import { useWords } from '../../words/words.ts';
import { get } from '../read.ts';
import { useDescription } from '../records/audit-sentence.tsx';
import { describeRecord } from '../records/describe-record.ts';
import { collectRecords, nameOfFile, toAuditCsv } from './audit-csv.ts';
import { hidesSignIns, type LogFilters, toQuery } from './audit-log-queries.ts';
import { AUDIT_LOG } from './audit-log-words.ts';
import { LeftOutSignIns } from './left-out-sign-ins.tsx';

/** Says what the file leaves out before it is made. */
export const ExportDialog = ({ filters, ...dialog }: DialogState & { filters: LogFilters }) => {
  const words = useWords(AUDIT_LOG);
  const description = useDescription(true);
  const [count, setCount] = useState(0);
  const [withSignIns, setWithSignIns] = useState(false);
  const exported: LogFilters = withSignIns ? { ...filters, signIns: 'shown' } : filters;
  const name = nameOfFile(exported, Intl.DateTimeFormat().resolvedOptions().timeZone);
  const collect = () => {
    setCount(0);
    return collectRecords(
      (cursor, perPage) =>
        get('/administrator/audit-log', { query: { ...toQuery(exported), cursor, perPage } }),
      setCount,
    );
  };
  const save = ({ records, isComplete }: Awaited<ReturnType<typeof collect>>): string => {
    const toSentence = (record: (typeof records)[number]) =>
      describeRecord(record, description)
        .map(({ text }) => text)
        .join('');
    saveFile(name, 'text/csv', toAuditCsv(records, toSentence));
    const total = formatNumber(records.length);
    return isComplete ? words.exported(total) : words.exportedSome(total);
  };
  return (
    <WriteDialog
      {...dialog}
      title={words.exportQuestion}
      submit={words.export}
      submitting={words.exporting(formatNumber(count))}
      look="main"
      act={collect}
      done={save}
    >
      <p>{words.exportExplained}</p>
      {hidesSignIns(exported) && <LeftOutSignIns filters={filters} onInclude={() => setWithSignIns(true)} />}
      <p className="code small">{name}</p>
    </WriteDialog>
  );
};
