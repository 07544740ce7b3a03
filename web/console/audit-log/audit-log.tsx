import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { Button } from '../../components/button.tsx';
import { CheckBox } from '../../components/fields.tsx';
import { FilterChips } from '../../components/filter-chips.tsx';
import { ListResult } from '../../components/list.tsx';
import { Chip, FilterDay, Filters } from '../../components/list-filters.tsx';
import { useListState } from '../../components/list-state.ts';
import { ErrorNotice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { QueryError } from '../../components/states.tsx';
import { useSayStatus } from '../../components/status.tsx';
import { saveFile } from '../../page/save-file.ts';
import { COMMON } from '../../words/common.ts';
import { formatNumber } from '../../words/formats.ts';
import { useWords } from '../../words/words.ts';
import { nameOf } from '../names.ts';
import { present } from '../query-fields.ts';
import { nameOfUser } from '../users/user.ts';
import { userDetail } from '../users/user-queries.ts';
import { collectRecords, toCsv } from './audit-csv.ts';
import { auditLog, auditRecord, type LogFilters, readLog } from './audit-log-queries.ts';
import { ACTION_NAMES, AUDIT_LOG } from './audit-log-words.ts';
import { dayBefore } from './day-range.ts';
import { LogRows } from './log-rows.tsx';
import { LOG } from './log-words.ts';
import { PersonPicker } from './person-picker.tsx';
import './log.css';

const FILTERS = [
  'action',
  'userId',
  'actorId',
  'targetId',
  'signIns',
  'from',
  'to',
  'cursor',
  'record',
] as const;
/** Days before today. */
const PERIODS = [0, 6, 29] as const;

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
      <Button mutation={download} busyLabel={words.exporting(formatNumber(count))}>
        {words.export}
      </Button>
    </>
  );
};

const CHIPS = [
  ['userId', 'user'],
  ['actorId', 'actor'],
] as const;

/** The record of a link, above the others. */
const LinkedRecord = ({ id }: { id: string }) => {
  const query = useQuery(auditRecord(id));
  return (
    <>
      <QueryError query={query} />
      {query.data && <LogRows records={[query.data]} isGrouped={false} isOpen />}
    </>
  );
};

type Name = (typeof FILTERS)[number];
type LogFiltersProps = {
  filters: Partial<Record<Name, string>>;
  set: (changes: Partial<Record<Name, string | undefined>>) => void;
  isGrouped: boolean;
  setGrouped: (isGrouped: boolean) => void;
};

const LogFilterBar = ({ filters, set, isGrouped, setGrouped }: LogFiltersProps) => {
  const words = useWords(AUDIT_LOG);
  const log = useWords(LOG);
  const names = useWords(ACTION_NAMES);
  const { action } = filters;
  // A link may name a single action.
  const single = action !== undefined && !(action in log.groups) && { [action]: nameOf(names, action) };
  const [isChoosing, setChoosing] = useState(false);
  const isPeriod = filters.to === undefined && PERIODS.some((days) => filters.from === dayBefore(days));
  const hasDates = (filters.from ?? filters.to) !== undefined && !isPeriod;
  const areDatesShown = isChoosing || hasDates;
  const leaveDates = () => {
    setChoosing(false);
    if (hasDates) set({ from: undefined, to: undefined });
  };
  const isAboutSomebody = Boolean(filters.userId ?? filters.actorId ?? filters.targetId ?? action);
  return (
    <Filters>
      <fieldset className="segments" aria-label={log.period}>
        {PERIODS.map((days) => {
          const from = dayBefore(days);
          const isChosen = filters.from === from && filters.to === undefined;
          return (
            <button
              key={days}
              type="button"
              className="segment"
              aria-pressed={isChosen}
              onClick={() => set({ from: isChosen ? undefined : from, to: undefined })}
            >
              {days === 0 ? log.today : log.days(formatNumber(days + 1))}
            </button>
          );
        })}
        <button
          type="button"
          className="segment"
          aria-pressed={areDatesShown}
          onClick={() => (areDatesShown ? leaveDates() : setChoosing(true))}
        >
          {log.dates}
        </button>
      </fieldset>
      {areDatesShown && (
        <>
          <FilterDay label={words.from} value={filters.from} onChange={(from) => set({ from })} />
          <FilterDay label={words.to} value={filters.to} onChange={(to) => set({ to })} />
        </>
      )}
      {filters.userId === undefined && <PersonPicker onChoose={(userId) => set({ userId })} />}
      {!isAboutSomebody && (
        <CheckBox
          checked={filters.signIns !== undefined}
          onChange={({ currentTarget }) => set({ signIns: currentTarget.checked ? 'shown' : undefined })}
        >
          {log.signIns}
        </CheckBox>
      )}
      {CHIPS.map(([name, label]) => {
        const { [name]: id } = filters;
        return (
          id && (
            <Chip key={name} label={words[label]} onRemove={() => set({ [name]: undefined })}>
              <UserName id={id} />
            </Chip>
          )
        );
      })}
      {filters.targetId && (
        <Chip label={words.target} onRemove={() => set({ targetId: undefined })}>
          <span className="code">{filters.targetId}</span>
        </Chip>
      )}
      {filters.record && (
        <Chip label={log.record} onRemove={() => set({ record: undefined })}>
          <span className="code">{filters.record}</span>
        </Chip>
      )}
      <FilterChips
        list={{ filters, setFilter: (name, value) => set({ [name]: value }) }}
        filters={[{ name: 'action', label: words.action, options: { ...log.groups, ...single } }]}
      />
      <span className="log-grouping">
        <CheckBox checked={isGrouped} onChange={({ currentTarget }) => setGrouped(currentTarget.checked)}>
          {log.groupRepeats}
        </CheckBox>
      </span>
    </Filters>
  );
};

/** The records of everybody, newest first. A page has a cursor, because the log only grows. */
export const AuditLog = () => {
  const words = useWords(AUDIT_LOG);
  const common = useWords(COMMON);
  const list = useListState(FILTERS);
  const [isGrouped, setGrouped] = useState(true);
  const { cursor, record, ...filters } = list.filters;
  const query = useQuery(auditLog(present(filters), cursor));
  const isFiltered = Object.keys(filters).length > 0;
  const set = (changes: Partial<Record<Name, string | undefined>>) =>
    list.setFilters({ ...changes, cursor: undefined });
  const noneNew = isFiltered ? words.noneFiltered : words.none;
  return (
    <Page title={words.title} actions={<ExportButton filters={present(filters)} />}>
      <LogFilterBar filters={list.filters} set={set} isGrouped={isGrouped} setGrouped={setGrouped} />
      {record && <LinkedRecord key={record} id={record} />}
      <ListResult
        query={query}
        total={({ data }) => ({ total: data.length })}
        empty={cursor === undefined ? noneNew : words.noneOlder}
        emptyAction={isFiltered && <Button onClick={list.clear}>{common.removeFilters}</Button>}
      >
        {({ data, nextCursor }, isOld) => (
          <div>
            <LogRows records={data} isGrouped={isGrouped} isOld={isOld} />
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
