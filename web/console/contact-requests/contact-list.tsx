import { useMutation, useQuery } from '@tanstack/react-query';
import { Button } from '../../components/button.tsx';
import { type Column, ListResult, Paging, Table } from '../../components/list.tsx';
import { FilterSelect, Filters } from '../../components/list-filters.tsx';
import { useListState } from '../../components/list-state.ts';
import { ErrorNotice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { useSayStatus } from '../../components/status.tsx';
import { Time } from '../../components/time.tsx';
import { COMMON } from '../../words/common.ts';
import { useWords } from '../../words/words.ts';
import { oneOf, toBoolean } from '../query-fields.ts';
import {
  CONTACT_CHANGE,
  type ContactRequest,
  contactRequestList,
  markContactRequest,
} from './contact-queries.ts';
import { CONTACT } from './contact-words.ts';

const DoneMark = ({ request }: { request: ContactRequest }) => {
  const words = useWords(CONTACT);
  const say = useSayStatus();
  const { id, doneAt, doneBy, email } = request;
  const isDone = doneAt !== null;
  const mark = (done: boolean) => ({
    mutationFn: () => markContactRequest(id, done),
    meta: CONTACT_CHANGE,
  });
  const change = useMutation({
    ...mark(!isDone),
    onSuccess: () => say(isDone ? words.isNotDone : words.isDone, mark(isDone)),
  });
  return (
    <div className="stack-small">
      {isDone && (
        <div className="muted small">
          {words.doneBy(doneBy?.email ?? words.deletedUser)} · <Time at={doneAt} />
        </div>
      )}
      <div>
        <Button
          aria-label={`${isDone ? words.markNotDone : words.markDone}: ${email}`}
          isBusy={change.isPending}
          busyLabel={words.marking}
          onClick={() => change.mutate()}
        >
          {isDone ? words.markNotDone : words.markDone}
        </Button>
      </div>
      <ErrorNotice error={change.error} />
    </div>
  );
};

/** Everything that somebody has written, as text. */
const Message = ({ request: { subject, message, company } }: { request: ContactRequest }) => {
  const words = useWords(CONTACT);
  return (
    <>
      {subject && <div className="strong">{subject}</div>}
      {company && <div className="muted small">{company}</div>}
      <div className="text-lines">{message ?? <span className="muted">{words.noMessage}</span>}</div>
    </>
  );
};

/** Forms of the landing page. Anybody can write any address into one. */
export const ContactList = () => {
  const words = useWords(CONTACT);
  const common = useWords(COMMON);
  const list = useListState(['kind', 'isDone']);
  const { page, perPage, filters } = list;
  const isDone = toBoolean(filters.isDone);
  const kind = oneOf(['lead', 'support'] as const, filters.kind);
  const query = useQuery(contactRequestList({ page, perPage, kind, isDone }));
  const columns: Column<ContactRequest>[] = [
    {
      label: words.from,
      isName: true,
      cell: ({ name, email, phone }) => (
        <>
          <a href={`mailto:${encodeURIComponent(email)}`}>{name ?? email}</a>
          <div className="muted small">{name === null ? words.noName : email}</div>
          {phone && <div className="muted small">{phone}</div>}
        </>
      ),
    },
    { label: words.message, cell: (request) => <Message request={request} /> },
    { label: words.kind, cell: (request) => words.kinds[request.kind] },
    { label: words.received, cell: ({ createdAt }) => <Time at={createdAt} /> },
    { label: words.state, cell: (request) => <DoneMark request={request} /> },
  ];
  const noneFiltered = isDone === false && kind === undefined ? words.noneLeft : words.noneFiltered;
  return (
    <Page title={words.title}>
      <Filters>
        <FilterSelect
          label={words.kind}
          value={filters.kind}
          options={words.kinds}
          onChange={(value) => list.setFilter('kind', value)}
        />
        <FilterSelect
          label={words.state}
          value={filters.isDone}
          options={{ false: words.notDone, true: words.done }}
          onChange={(value) => list.setFilter('isDone', value)}
        />
      </Filters>
      <ListResult
        query={query}
        total={(found) => found}
        empty={list.isFiltered ? noneFiltered : words.none}
        emptyAction={list.isFiltered && <Button onClick={list.clear}>{common.removeFilters}</Button>}
      >
        {(found, isOld) => (
          <div>
            <Table
              caption={words.title}
              columns={columns}
              rows={found.data}
              keyOf={({ id }) => id}
              isOld={isOld}
            />
            <Paging list={list} shown={found.data.length} total={found.total} />
          </div>
        )}
      </ListResult>
    </Page>
  );
};
