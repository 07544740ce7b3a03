import { entityTagOf, type Project } from '@platform/client';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { backOffice } from '../back-office.ts';
import { present } from '../query-fields.ts';

type ListQuery = {
  page: number;
  perPage: number;
  search: string | undefined;
  status: Project['status'] | undefined;
  category: Project['category'] | undefined;
};

export const projectList = (query: ListQuery) =>
  queryOptions({
    queryKey: ['projects', 'list', query],
    queryFn: ({ signal }) => backOffice.GET('/projects', { params: { query: present(query) }, signal }),
    placeholderData: keepPreviousData,
  });

export const deletedProjectList = (query: Pick<ListQuery, 'page' | 'perPage' | 'search'>) =>
  queryOptions({
    queryKey: ['projects', 'deleted', query],
    queryFn: ({ signal }) =>
      backOffice.GET('/administrator/deleted-projects', { params: { query: present(query) }, signal }),
    placeholderData: keepPreviousData,
  });

/** A project with its version, which a change has to name. */
export const readProject = async (id: string, signal?: AbortSignal) => {
  const call = { params: { path: { id } }, ...(signal && { signal }) };
  const project = await backOffice.GET('/projects/{id}', call);
  return { project, version: entityTagOf(project) };
};

export const projectDetail = (id: string) =>
  queryOptions({
    queryKey: ['projects', id, 'detail'],
    queryFn: ({ signal }) => readProject(id, signal),
  });

export type Edit = { author: string | undefined; at: Date; fields: readonly string[] };

/**
 * The edits of a project after a version of it, the latest first, each with the name of its author: a person or a
 * service.
 */
export const readEdits = async (id: string, since: string): Promise<Edit[]> => {
  const query = { targetId: id, perPage: 20 };
  const { data } = await backOffice.GET('/administrator/audit-log', { params: { query } });
  return data
    .filter(({ createdAt }) => new Date(createdAt) > new Date(since))
    .map(({ actorName, actorEmail, createdAt, details }) => ({
      author:
        actorName ?? actorEmail ?? (typeof details['service'] === 'string' ? details['service'] : undefined),
      at: new Date(createdAt),
      fields: Array.isArray(details['fields']) ? details['fields'].map(String) : [],
    }));
};

/** A change of a project invalidates also the pages of owners, and the log. */
export const PROJECT_CHANGE = { invalidates: [['projects'], ['users'], ['audit-log']] } as const;

export const deleteProject = (id: string) =>
  backOffice.DELETE('/projects/{id}', { params: { path: { id } } });

export const restoreProject = (id: string) =>
  backOffice.PATCH('/projects/{id}/restore', { params: { path: { id } } });
