import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { Button } from '../../components/button.tsx';
import { ListPage } from '../../components/lists/list-page.tsx';
import { useListState } from '../../components/lists/list-state.ts';
import { type Column, timeColumn } from '../../components/lists/table.tsx';
import { ErrorNotice } from '../../components/notice.tsx';
import { useSayStatus } from '../../components/status.tsx';
import { useWords } from '../../words/words.ts';
import { NAMES } from '../names.ts';
import type { ResponseOf } from '../read.ts';
import { nameOfReference } from '../records/people.ts';
import { nameOfOwner } from './project.ts';
import { deletedProjectList, deleteProject, PROJECT_CHANGE, restoreProject } from './project-queries.ts';
import { PROJECTS } from './project-words.ts';

type Row = ResponseOf<'/administrator/deleted-projects'>['data'][number];

const RestoreButton = ({ id, title }: Row) => {
  const words = useWords(PROJECTS);
  const say = useSayStatus();
  const restore = useMutation({
    mutationFn: () => restoreProject(id),
    meta: { ...PROJECT_CHANGE, whether: words.whetherRestored(title) },
    onSuccess: () =>
      say(<Link href={`/projects/${id}`}>{words.restored(title)}</Link>, {
        mutationFn: () => deleteProject(id),
        meta: { ...PROJECT_CHANGE, whether: words.whetherDeleted(title) },
        undone: words.deleted(title),
      }),
  });
  return (
    <>
      <Button
        isSmall
        // Enter on the row must not open the link to the person who has deleted it.
        data-act
        aria-label={`${words.restore}: ${title}`}
        mutation={restore}
        busyLabel={words.restoring}
      >
        {words.restore}
      </Button>
      <ErrorNotice error={restore.error} />
    </>
  );
};

const DeletedBy = ({ deletedBy }: Pick<Row, 'deletedBy'>) => {
  const words = useWords(PROJECTS);
  if (deletedBy === null) return <span className="muted">{words.unknown}</span>;
  return (
    <Link className="text-name" href={`/users/${deletedBy.id}`}>
      <bdi>{nameOfReference(deletedBy)}</bdi>
    </Link>
  );
};

/** Lists deleted projects, searched by title, and restores them. */
export const DeletedProjects = () => {
  const words = useWords(PROJECTS);
  const names = useWords(NAMES);
  const list = useListState();
  const { page, perPage, search } = list;
  const query = useQuery(deletedProjectList({ page, perPage, search: search || undefined }));
  const columns: Column<Row>[] = [
    {
      label: words.title,
      isName: true,
      cell: ({ title, owner }) => (
        <>
          <bdi>{title}</bdi>
          <div className="muted small">
            <bdi>{nameOfOwner(owner) ?? names.deletedUser}</bdi>
          </div>
        </>
      ),
    },
    timeColumn(words.deletedAt, 130, ({ deletedAt }) => deletedAt),
    { label: words.deletedBy, width: 220, cell: (row) => <DeletedBy {...row} /> },
    { label: words.restore, hasNoHeading: true, width: 170, cell: (row) => <RestoreButton {...row} /> },
  ];
  return (
    <ListPage
      title={words.deletedProjects}
      breadcrumbs={[[words.projects, '/projects']]}
      list={list}
      query={query}
      columns={columns}
      search={words.searchTitle}
      empty={{ none: words.noDeleted, noneFound: words.noDeletedFound }}
    />
  );
};
