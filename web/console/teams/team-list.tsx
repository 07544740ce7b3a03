import type { Team } from '@platform/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { type Column, formatTotal, ListResult, Paging, Table } from '../../components/list.tsx';
import { FilterSelect, Filters, SearchField } from '../../components/list-filters.tsx';
import { useListState } from '../../components/list-state.ts';
import { Page } from '../../components/page.tsx';
import { Time } from '../../components/time.tsx';
import { COMMON } from '../../words/common.ts';
import { useWords } from '../../words/words.ts';
import { NAMES, nameOf } from '../names.ts';
import { oneOf } from '../query-fields.ts';
import { TEAM_STATUSES, teamList } from './team-queries.ts';
import { TEAMS } from './team-words.ts';

/** A team that waits stands out. */
export const TeamStatus = ({ status }: Pick<Team, 'status'>) => {
  const names = useWords(NAMES);
  return <Badge look={status === 'ONBOARDING' ? 'warn' : 'plain'}>{nameOf(names.teamStatus, status)}</Badge>;
};

export const TeamList = () => {
  const words = useWords(TEAMS);
  const common = useWords(COMMON);
  const names = useWords(NAMES);
  const list = useListState(['status']);
  const { page, perPage, search, filters } = list;
  const status = oneOf(TEAM_STATUSES, filters.status);
  const query = useQuery(teamList({ page, perPage, search: search || undefined, status }));
  const columns: Column<Team>[] = [
    {
      label: words.name,
      isName: true,
      cell: ({ id, name, slug }) => (
        <>
          <Link href={`/teams/${id}`}>{name}</Link>
          <div className="muted small">{slug}</div>
        </>
      ),
    },
    { label: words.status, cell: (team) => <TeamStatus status={team.status} /> },
    { label: words.created, cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      label: words.verified,
      cell: ({ verifiedAt }) =>
        verifiedAt === null ? <span className="muted">{words.notVerified}</span> : <Time at={verifiedAt} />,
    },
  ];
  const noneFiltered = status === 'ONBOARDING' ? words.noneToVerify : words.noneFiltered;
  const withoutSearch = status === undefined ? words.none : noneFiltered;
  return (
    <Page
      title={words.teams}
      aside={
        query.data && (
          <span className="muted small number">
            {formatTotal(query.data.meta.total, query.data.meta.totalCapped)}
          </span>
        )
      }
    >
      <Filters>
        <SearchField list={list} label={words.search} />
        <FilterSelect
          label={words.status}
          value={filters.status}
          options={names.teamStatus}
          onChange={(value) => list.setFilter('status', value)}
        />
      </Filters>
      <ListResult
        query={query}
        total={({ meta }) => meta}
        empty={search ? words.noneFound(search) : withoutSearch}
        emptyAction={list.isFiltered && <Button onClick={list.clear}>{common.removeFilters}</Button>}
      >
        {(found, isOld) => (
          <div>
            <Table
              caption={words.teams}
              columns={columns}
              rows={found.data}
              keyOf={({ id }) => id}
              isOld={isOld}
            />
            <Paging
              list={list}
              shown={found.data.length}
              total={found.meta.total}
              totalCapped={found.meta.totalCapped}
            />
          </div>
        )}
      </ListResult>
    </Page>
  );
};
