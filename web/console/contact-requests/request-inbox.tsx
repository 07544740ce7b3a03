import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Button } from '../../components/button.tsx';
import { Page } from '../../components/frame/page.tsx';
import { focusRow } from '../../components/keys/list-keys.ts';
import { formatTotal, ListResult, Paging } from '../../components/lists/list.tsx';
import { SearchField } from '../../components/lists/list-filters.tsx';
import { useListState } from '../../components/lists/list-state.ts';
import { useSelection } from '../../components/lists/selection.ts';
import { QueryError, Skeleton } from '../../components/states.tsx';
import { usePlatform } from '../../session/platform.ts';
import { formatNumber } from '../../words/formats.ts';
import { useWords } from '../../words/words.ts';
import { oneOf } from '../query-fields.ts';
import { contactRequestList, filterOf, VIEWS, type View } from './contact-queries.ts';
import { CONTACT } from './contact-words.ts';
import { MarkSelected } from './mark-selected.tsx';
import { nameOfRequest } from './request.ts';
import { RequestDetail } from './request-detail.tsx';
import { RequestRows } from './request-rows.tsx';
import { useInbox } from './use-inbox.ts';
import './request.css';

type ViewsProps = { view: View; ownId: string | undefined; search: string; onChoose: (view: View) => void };
type ViewProps = Omit<ViewsProps, 'view'> & { name: View; isChosen: boolean };

/** Reads the number of requests from the total of a page with one row. */
const ViewButton = ({ name, isChosen, ownId, search, onChoose }: ViewProps) => {
  const words = useWords(CONTACT);
  const { data } = useQuery(contactRequestList({ page: 1, perPage: 1, q: search, ...filterOf(name, ownId) }));
  return (
    <Button
      isSmall
      look={isChosen ? 'plain' : 'quiet'}
      aria-pressed={isChosen}
      onClick={() => onChoose(name)}
    >
      {words.views[name]}{' '}
      {data && <span className="muted number">{formatTotal(data.total, data.totalCapped)}</span>}
    </Button>
  );
};

/** The views of the inbox, each with the number of requests that match the search. */
const RequestViews = ({ view, ...props }: ViewsProps) => (
  <div className="request-views">
    {VIEWS.map((each) => (
      <ViewButton key={each} {...props} name={each} isChosen={each === view} />
    ))}
  </div>
);

const NOTHING: readonly never[] = [];

/** The inbox: at the left what came in, at the right one of them. Below 820 px, these are two screens. */
export const RequestInbox = () => {
  const words = useWords(CONTACT);
  const list = useListState(['view', 'request']);
  const ownId = usePlatform().client.getSnapshot().user?.id;
  const { page, perPage, search, filters } = list;
  const view = oneOf(VIEWS, filters.view) ?? 'open';
  const options = contactRequestList({ page, perPage, q: search, ...filterOf(view, ownId) });
  const query = useQuery(options);
  const queries = useQueryClient();
  const { chosen, isMoving, position, ...inbox } = useInbox(list, query, () =>
    queries.getQueryData(options.queryKey),
  );
  const selection = useSelection({
    rows: view === 'done' ? NOTHING : (query.data?.data ?? NOTHING),
    nameOf: nameOfRequest,
  });
  const empty = { open: words.noneLeft, new: words.noneNew, mine: words.noneMine, done: words.noneDone }[
    view
  ];
  /** The focus goes along, so that a screen reader reads the subject, and Tab leads through the request. */
  const open = (id: string): void => {
    inbox.open(id);
    // Later, because React must have rendered the request first.
    queueMicrotask(() => document.querySelector<HTMLElement>('.request-detail')?.focus());
  };
  return (
    <Page
      title={words.title}
      aside={
        query.data && (
          <span className="text-count">{formatTotal(query.data.total, query.data.totalCapped)}</span>
        )
      }
    >
      <div className={filters.request === undefined ? 'request-inbox' : 'request-inbox request-inbox-detail'}>
        <div className="request-inbox-list stack">
          <MarkSelected selection={selection}>
            <SearchField list={list} query={query} label={words.search} />
          </MarkSelected>
          <RequestViews
            view={view}
            ownId={ownId}
            search={search}
            onChoose={(next) =>
              list.setFilters({ view: next === 'open' ? undefined : next, request: undefined })
            }
          />
          <ListResult
            query={query}
            total={(found) => found}
            empty={search ? words.noneFound : empty}
            isDone={view !== 'done' && !search}
          >
            {(found) => (
              <>
                <RequestRows
                  requests={found.data}
                  current={chosen}
                  ownId={ownId}
                  onOpen={open}
                  selection={view === 'done' ? undefined : selection}
                />
                <Paging
                  list={list}
                  shown={found.data.length}
                  total={found.total}
                  totalCapped={found.totalCapped}
                />
              </>
            )}
          </ListResult>
        </div>
        <div className="request-inbox-pane">
          {isMoving && (query.error == null ? <Skeleton /> : <QueryError query={query} />)}
          {chosen === undefined && !isMoving && <p className="muted">{words.choose}</p>}
          {chosen !== undefined && (
            <RequestDetail
              key={chosen}
              id={chosen}
              listed={query.data?.data.find(({ id }) => id === chosen)}
              ownId={ownId}
              position={
                position === undefined
                  ? undefined
                  : words.position(
                      formatNumber(position),
                      formatTotal(query.data?.total ?? 0, query.data?.totalCapped),
                    )
              }
              previous={inbox.previous}
              next={inbox.next}
              onDone={inbox.onDone}
              onBack={() => {
                inbox.open(undefined);
                queueMicrotask(() => focusRow((id) => id === chosen));
              }}
            />
          )}
        </div>
      </div>
    </Page>
  );
};
