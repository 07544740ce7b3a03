import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { useDialogs } from '../../components/forms/action-dialog.tsx';
import { Page } from '../../components/frame/page.tsx';
import { lazyComponent } from '../../components/lazy-component.ts';
import { ListResult } from '../../components/lists/list.tsx';
import { useListState } from '../../components/lists/list-state.ts';
import { QueryError } from '../../components/states.tsx';
import { COMMON } from '../../words/common.ts';
import { useWords } from '../../words/words.ts';
import { present } from '../query-fields.ts';
import { auditLog, auditRecord, type LogFilters } from './audit-log-queries.ts';
import { AUDIT_LOG } from './audit-log-words.ts';
import { LOG_FILTERS, LogFilterBar } from './log-filters.tsx';
import { LogRows } from './log-rows.tsx';
import './changes.css';
import './log.css';

// Loaded when somebody exports the log.
const ExportDialog = lazyComponent(() => import('./export-dialog.tsx'), 'ExportDialog');

const ExportButton = ({ filters }: { filters: LogFilters }) => {
  const words = useWords(AUDIT_LOG);
  const { open, dialog } = useDialogs<'export'>();
  const { isOpen, onClose } = dialog('export');
  return (
    <>
      <Button onClick={open('export')}>{words.exportMore}</Button>
      <Suspense>{isOpen && <ExportDialog filters={filters} isOpen onClose={onClose} />}</Suspense>
    </>
  );
};

/** The record that a link names, above the others. */
const LinkedRecord = ({ id }: { id: string }) => {
  const query = useQuery(auditRecord(id));
  return (
    <>
      <QueryError query={query} />
      {query.data && <LogRows records={[query.data]} isGrouped={false} isOpen />}
    </>
  );
};

/** The records of everybody, newest first. A page has a cursor, because the log only grows. */
export const AuditLog = () => {
  const words = useWords(AUDIT_LOG);
  const common = useWords(COMMON);
  const list = useListState(LOG_FILTERS);
  const [isGrouped, setGrouped] = useState(true);
  const { cursor, record, ...filters } = list.filters;
  const query = useQuery(auditLog(present(filters), cursor));
  const isFiltered = Object.keys(filters).length > 0;
  const set: typeof list.setFilters = (changes) => list.setFilters({ ...changes, cursor: undefined });
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
