import type { Project } from '@platform/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { ListPage } from '../../components/lists/list-page.tsx';
import { useListState } from '../../components/lists/list-state.ts';
import { type Column, CutText, RowLink, timeColumn } from '../../components/lists/table.tsx';
import { State } from '../../components/state.tsx';
import { useWords } from '../../words/words.ts';
import { NAMES, nameOf } from '../names.ts';
import { keyOf } from '../query-fields.ts';
import { lookOfProject } from '../state-looks.ts';
import { nameOfOwner } from './project.ts';
import { projectList } from './project-queries.ts';
import { PROJECTS } from './project-words.ts';

const useColumns = (): Column<Project>[] => {
  const words = useWords(PROJECTS);
  const names = useWords(NAMES);
  return [
    {
      label: words.title,
      isName: true,
      cell: ({ id, title, owner }) => (
        <>
          <RowLink href={`/projects/${id}`} name={title} />
          <div className="muted small">
            <CutText text={nameOfOwner(owner) ?? names.deletedUser} />
          </div>
        </>
      ),
    },
    {
      label: words.status,
      width: 170,
      isEndOfBlock: true,
      cell: ({ status }) => <State look={lookOfProject(status)}>{nameOf(names.projectStatus, status)}</State>,
    },
    {
      label: words.category,
      width: 140,
      leavesBelow: 820,
      cell: ({ category }) => nameOf(names.category, category),
    },
    timeColumn(words.created, 116, ({ createdAt }) => createdAt),
  ];
};

export const ProjectList = () => {
  const words = useWords(PROJECTS);
  const names = useWords(NAMES);
  const list = useListState(['status', 'category']);
  const { page, perPage, search, filters } = list;
  const query = useQuery(
    projectList({
      page,
      perPage,
      search: search || undefined,
      status: keyOf(names.projectStatus, filters.status),
      category: keyOf(names.category, filters.category),
    }),
  );
  const columns = useColumns();
  return (
    <ListPage
      title={words.projects}
      actions={<Link href="/projects/deleted">{words.deletedProjects}</Link>}
      list={list}
      query={query}
      columns={columns}
      search={words.search}
      filters={[
        { name: 'status', label: words.status, options: names.projectStatus },
        { name: 'category', label: words.category, options: names.category },
      ]}
      empty={words}
    />
  );
};
