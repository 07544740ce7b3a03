import type { AuditRecord } from '@platform/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { Button } from '../../components/button.tsx';
import { Id } from '../../components/copy-button.tsx';
import { ListResult } from '../../components/list.tsx';
import { Chip, FilterDay, FilterSelect, Filters } from '../../components/list-filters.tsx';
import { useListState } from '../../components/list-state.ts';
import { ErrorNotice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { useSayStatus } from '../../components/status.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { COMMON } from '../../words/common.ts';
import { formatNumber } from '../../words/formats.ts';
import { useWords } from '../../words/words.ts';
import { present } from '../query-fields.ts';
import { nameOfUser } from '../users/user.ts';
import { userDetail } from '../users/user-queries.ts';
import { collectRecords, toCsv } from './audit-csv.ts';
import { auditLog, type LogFilters, readLog } from './audit-log-queries.ts';
import { ACTION_NAMES, AUDIT_LOG } from './audit-log-words.ts';
import { AuditSentence } from './audit-sentence.tsx';
import { RecordChanges } from './record-changes.tsx';
import { saveFile } from './save-file.ts';

const FILTERS = ['action', 'userId', 'actorId', 'targetId', 'from', 'to', 'cursor'] as const;

const useColumns = (): Column<AuditRecord>[] => {
  const words = useWords(AUDIT_LOG);
  return [
    { label: words.time, cell: ({ createdAt }) => <Time at={createdAt} isFull /> },
    {
      label: words.what,
      isName: true,
      cell: (record) => (
        <>
          <AuditSentence record={record} />
          <RecordChanges details={record.details} />
          <details className="small">
            <summary className="muted">{words.details}</summary>
            <div>
              {words.address}: {record.address}
            </div>
            <div>
              {words.requestId}: <Id id={record.requestId} />
            </div>
          </details>
        </>
      ),
    },
  ];
};

/** The user whose log is shown, by name when it is known. */
const UserName = ({ id }: { id: string }) => {
  const { data } = useQuery(userDetail(id));
  return <Link href={`/users/${id}`}>{data ? nameOfUser(data) : id}</Link>;
};

const ExportButton = ({ filters }: { filters: LogFilters }) => {
  const words = useWords(AUDIT_LOG);
  const say = useSayStatus();
  const [count, setCount] = useState(0);
  const download = useMutation({
    mutationFn: () => {
      setCount(0);
      return collectRecords((cursor, perPage) => readLog(filters, cursor, perPage), setCount);
    },
    onSuccess: ({ records, isComplete }) => {
      saveFile('audit-log.csv', 'text/csv', toCsv(records));
      const total = formatNumber(records.length);
      say(isComplete ? words.exported(total) : words.exportedSome(total));
    },
  });
  return (
    <>
      <ErrorNotice error={download.error} />
      <Button
        isBusy={download.isPending}
        busyLabel={words.exporting(formatNumber(count))}
        onClick={() => download.mutate()}
      >
        {words.export}
      </Button>
    </>
  );
};

const CHIPS = [
  ['userId', 'user'],
  ['actorId', 'actor'],
] as const;

/** The records of everybody, newest first. A page has a cursor, because the log only grows. */
export const AuditLog = () => {
  const words = useWords(AUDIT_LOG);
  const common = useWords(COMMON);
  const actions = useWords(ACTION_NAMES);
  const list = useListState(FILTERS);
  const { cursor, ...filters } = list.filters;
  const query = useQuery(auditLog(present(filters), cursor));
  const columns = useColumns();
  const isFiltered = Object.keys(filters).length > 0;
  const setFilter = (name: (typeof FILTERS)[number], value: string | undefined) =>
    list.setFilters({ [name]: value, cursor: undefined });
  const noneNew = isFiltered ? words.noneFiltered : words.none;
  return (
    <Page title={words.title} actions={<ExportButton filters={present(filters)} />}>
      <Filters>
        <FilterSelect
          label={words.action}
          value={filters.action}
          options={actions}
          onChange={(action) => setFilter('action', action)}
        />
        <FilterDay label={words.from} value={filters.from} onChange={(day) => setFilter('from', day)} />
        <FilterDay label={words.to} value={filters.to} onChange={(day) => setFilter('to', day)} />
        {CHIPS.map(([name, label]) => {
          const { [name]: id } = filters;
          return (
            id && (
              <Chip key={name} label={words[label]} onRemove={() => setFilter(name, undefined)}>
                <UserName id={id} />
              </Chip>
            )
          );
        })}
        {filters.targetId && (
          <Chip label={words.target} onRemove={() => setFilter('targetId', undefined)}>
            <span className="code">{filters.targetId}</span>
          </Chip>
        )}
      </Filters>
      <ListResult
        query={query}
        total={({ data }) => ({ total: data.length })}
        empty={cursor === undefined ? noneNew : words.noneOlder}
        emptyAction={isFiltered && <Button onClick={list.clear}>{common.removeFilters}</Button>}
      >
        {({ data, nextCursor }, isOld) => (
          <div>
            <Table caption={words.title} columns={columns} rows={data} isOld={isOld} />
            <div className="paging row-end">
              <div className="row">
                {cursor !== undefined && (
                  <Button onClick={() => list.setFilter('cursor', undefined)}>{words.newest}</Button>
                )}
                {nextCursor !== null && (
                  <Button onClick={() => list.setFilter('cursor', nextCursor)}>{words.older}</Button>
                )}
              </div>
            </div>
          </div>
        )}
      </ListResult>
    </Page>
  );
};
