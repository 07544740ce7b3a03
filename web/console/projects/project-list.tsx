import type { Project } from '@platform/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
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
import { nameOfOwner } from './project.ts';
import { CATEGORIES, PROJECT_STATUSES, projectList } from './project-queries.ts';
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
          <Link href={`/projects/${id}`}>{title}</Link>
          <div className="muted small">{nameOfOwner(owner) ?? words.deletedUser}</div>
        </>
      ),
    },
    { label: words.status, cell: ({ status }) => nameOf(names.projectStatus, status) },
    { label: words.category, cell: ({ category }) => nameOf(names.category, category) },
    { label: words.created, cell: ({ createdAt }) => <Time at={createdAt} /> },
  ];
};

export const ProjectList = () => {
  const words = useWords(PROJECTS);
  const common = useWords(COMMON);
  const names = useWords(NAMES);
  const list = useListState(['status', 'category']);
  const { page, perPage, search, filters } = list;
  const query = useQuery(
    projectList({
      page,
      perPage,
      search: search || undefined,
      status: oneOf(PROJECT_STATUSES, filters.status),
      category: oneOf(CATEGORIES, filters.category),
    }),
  );
  const columns = useColumns();
  const withoutSearch = list.isFiltered ? words.noneFiltered : words.none;
  return (
    <Page
      title={words.projects}
      aside={
        query.data && (
          <span className="muted small number">{formatTotal(query.data.total, query.data.totalCapped)}</span>
        )
      }
      actions={<Link href="/projects/deleted">{words.deletedProjects}</Link>}
    >
      <Filters>
        <SearchField list={list} label={words.search} />
        <FilterSelect
          label={words.status}
          value={filters.status}
          options={names.projectStatus}
          onChange={(status) => list.setFilter('status', status)}
        />
        <FilterSelect
          label={words.category}
          value={filters.category}
          options={names.category}
          onChange={(category) => list.setFilter('category', category)}
        />
      </Filters>
      <ListResult
        query={query}
        total={(found) => found}
        empty={search ? words.noneFound(search) : withoutSearch}
        emptyAction={list.isFiltered && <Button onClick={list.clear}>{common.removeFilters}</Button>}
      >
        {(found, isOld) => (
          <div>
            <Table
              caption={words.projects}
              columns={columns}
              rows={found.data}
              keyOf={({ id }) => id}
              isOld={isOld}
            />
            <Paging
              list={list}
              shown={found.data.length}
              total={found.total}
              totalCapped={found.totalCapped}
            />
          </div>
        )}
      </ListResult>
    </Page>
  );
};
