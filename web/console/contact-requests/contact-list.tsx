import { useMutation, useQuery } from '@tanstack/react-query';
import { Button } from '../../components/button.tsx';
import { ListPage } from '../../components/list-page.tsx';
import { useListState } from '../../components/list-state.ts';
import { ErrorNotice } from '../../components/notice.tsx';
import { useSayStatus } from '../../components/status.tsx';
import type { Column } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
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
  const change = useMutation({
    mutationFn: (done: boolean) => markContactRequest(id, done),
    meta: CONTACT_CHANGE,
    onSuccess: (_marked, done) =>
      say(done ? words.isDone : words.isNotDone, {
        mutationFn: () => markContactRequest(id, !done),
        meta: CONTACT_CHANGE,
      }),
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
          onClick={() => change.mutate(!isDone)}
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
    <ListPage
      title={words.title}
      list={list}
      query={query}
      columns={columns}
      filters={[
        { name: 'kind', label: words.kind, options: words.kinds },
        { name: 'isDone', label: words.state, options: { false: words.notDone, true: words.done } },
      ]}
      empty={list.isFiltered ? noneFiltered : words.none}
    />
  );
};
