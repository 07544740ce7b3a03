import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { formatTotal, ListResult, Paging } from '../../components/list.tsx';
import { SearchField } from '../../components/list-filters.tsx';
import { useListState } from '../../components/list-state.ts';
import { useOpenFirst } from '../../components/open-first.ts';
import { Page } from '../../components/page.tsx';
import { useSelection } from '../../components/selection.ts';
import { usePlatform } from '../../session/platform.ts';
import { useWords } from '../../words/words.ts';
import { oneOf } from '../query-fields.ts';
import { contactRequestList } from './contact-queries.ts';
import { CONTACT } from './contact-words.ts';
import { MarkSelected } from './mark-selected.tsx';
import { nameOfRequest, neighboursOf } from './request.ts';
import { RequestDetail } from './request-detail.tsx';
import { RequestRows } from './request-rows.tsx';
import './requests.css';

const NOTHING: readonly never[] = [];
const VIEWS = ['open', 'mine', 'done'] as const;

/** The inbox: at the left what came in, at the right one of them. Below 820 px, these are two screens. */
export const RequestInbox = () => {
  const words = useWords(CONTACT);
  const list = useListState(['view', 'request']);
  const ownId = usePlatform().client.getSnapshot().user?.id;
  const { page, perPage, search, filters } = list;
  const view = oneOf(VIEWS, filters.view) ?? 'open';
  const query = useQuery(
    contactRequestList({
      page,
      perPage,
      isDone: view === 'done',
      assigneeId: view === 'mine' ? ownId : undefined,
      q: search,
    }),
  );
  const searching = useOpenFirst(list, query.data !== undefined && !query.isPlaceholderData);
  const ids = query.data?.data.map(({ id }) => id) ?? [];
  const chosen = filters.request;
  // What is done leaves the list, so the one after it is kept from the moment when it was opened.
  const [opened, setOpened] = useState<{ id: string; next: string | undefined }>();
  const known = chosen === undefined ? undefined : neighboursOf(ids, chosen);
  const open = (id: string | undefined): void => {
    setOpened(id === undefined ? undefined : { id, next: neighboursOf(ids, id).next });
    list.setFilters({ request: id });
  };
  const toOpen = (id: string | undefined) => (id === undefined ? undefined : () => open(id));
  const nextAfterDone = known?.next ?? (opened?.id === chosen ? opened?.next : undefined);
  const selection = useSelection({
    rows: view === 'done' ? NOTHING : (query.data?.data ?? NOTHING),
    nameOf: nameOfRequest,
  });
  const empty = { open: words.noneLeft, mine: words.noneMine, done: words.none }[view];
  return (
    <Page
      title={words.title}
      aside={query.data && <span className="page-count">{formatTotal(query.data.total)}</span>}
    >
      <div className={chosen === undefined ? 'inbox' : 'inbox inbox-detail'}>
        <div className="inbox-list stack">
          <MarkSelected selection={selection}>
            <SearchField {...searching} label={words.search} />
          </MarkSelected>
          <div className="row">
            {VIEWS.map((each) => (
              <Button
                key={each}
                isSmall
                look={each === view ? 'plain' : 'quiet'}
                aria-pressed={each === view}
                onClick={() =>
                  list.setFilters({ view: each === 'open' ? undefined : each, request: undefined })
                }
              >
                {words.views[each]}
              </Button>
            ))}
          </div>
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
        <div className="inbox-pane">
          {chosen === undefined ? (
            <p className="muted">{words.choose}</p>
          ) : (
            <RequestDetail
              key={chosen}
              id={chosen}
              ownId={ownId}
              previous={toOpen(known?.previous)}
              next={toOpen(known?.next)}
              onDone={() => open(nextAfterDone)}
              onBack={() => open(undefined)}
            />
          )}
        </div>
      </div>
    </Page>
  );
};
