import { entityTagOf } from '@platform/client';
import { queryOptions } from '@tanstack/react-query';
import { backOffice } from '../back-office.ts';
import { get, type QueryOf, readPage } from '../read.ts';

export const projectList = (query: QueryOf<'/projects'>) =>
  readPage(['projects', 'list', query], '/projects', { query });

export const deletedProjectList = (query: QueryOf<'/administrator/deleted-projects'>) =>
  readPage(['projects', 'deleted', query], '/administrator/deleted-projects', { query });

/** A project with its version, which a change has to name. */
export const readProject = async (id: string, signal?: AbortSignal) => {
  const project = await get('/projects/{id}', { path: { id } }, signal);
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
  const { data } = await get('/administrator/audit-log', { query: { targetId: id, perPage: 20 } });
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
