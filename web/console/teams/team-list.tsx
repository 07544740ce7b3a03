import type { Team } from '@platform/client';
import { useQuery } from '@tanstack/react-query';
import { ListPage } from '../../components/lists/list-page.tsx';
import { useListState } from '../../components/lists/list-state.ts';
import { type Column, CutText, RowLink, timeColumn } from '../../components/lists/table.tsx';
import { State } from '../../components/state.tsx';
import { Time } from '../../components/time.tsx';
import { useWords } from '../../words/words.ts';
import { NAMES, nameOf } from '../names.ts';
import { keyOf } from '../query-fields.ts';
import { lookOfTeam } from '../state-looks.ts';
import { teamList } from './team-queries.ts';
import { TEAMS } from './team-words.ts';

export const TeamStatus = ({ status }: Pick<Team, 'status'>) => {
  const names = useWords(NAMES);
  return <State look={lookOfTeam(status)}>{nameOf(names.teamStatus, status)}</State>;
};

export const TeamList = () => {
  const words = useWords(TEAMS);
  const names = useWords(NAMES);
  const list = useListState(['status']);
  const { page, perPage, search, filters } = list;
  const status = keyOf(names.teamStatus, filters.status);
  const query = useQuery(teamList({ page, perPage, search: search || undefined, status }));
  const columns: Column<Team>[] = [
    {
      label: words.name,
      isName: true,
      cell: ({ id, name, slug }) => (
        <>
          <RowLink href={`/teams/${id}`} name={name} />
          <div className="muted small">
            <CutText text={slug} />
          </div>
        </>
      ),
    },
    {
      label: words.status,
      width: 150,
      isEndOfBlock: true,
      cell: (team) => <TeamStatus status={team.status} />,
    },
    timeColumn(words.created, 116, ({ createdAt }) => createdAt),
    {
      label: words.verified,
      width: 130,
      isEnd: true,
      leavesBelow: 820,
      cell: ({ verifiedAt }) =>
        verifiedAt === null ? <span className="muted">{words.notVerified}</span> : <Time at={verifiedAt} />,
    },
  ];
  return (
    <ListPage
      title={words.teams}
      list={list}
      query={query}
      columns={columns}
      search={words.search}
      filters={[{ name: 'status', label: words.status, options: names.teamStatus }]}
      empty={status === 'ONBOARDING' ? { ...words, noneFiltered: words.noneToVerify } : words}
    />
  );
};
