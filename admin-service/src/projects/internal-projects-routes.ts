import { toEntityTag } from '@platform/shared/http/entity-tag';
import type { InternalOperations } from '../authentication/operations.ts';
import { toDistinctIds } from '../lists/distinct-ids.ts';
import { requireAlone } from '../lists/id-pages.ts';
import type { VersionedProject } from './project.ts';
import type { ProjectService } from './projects-service.ts';

type Names = 'listProjects' | 'getProjectById' | 'putProject' | 'changeProject';

const withoutNulls = <Body extends object>(body: Body) =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null)) as {
    [Name in keyof Body]: Exclude<Body[Name], null>;
  };

/** A service that needs the owner's name or address must have the right to read users. */
const toProjectResponse = ({ version, owner, ...project }: VersionedProject) => ({
  headers: toEntityTag(version),
  body: { ...project, ownerId: owner.id },
});

/** Operations for other services. */
export const internalProjectRoutes = (projects: ProjectService): Pick<InternalOperations, Names> => ({
  listProjects: async ({ query: { id, ...page }, caller }) => {
    if (id === undefined) return { status: 200, body: await caller.inTurn(() => projects.listPage(page)) };
    requireAlone('id', page);
    return { status: 200, body: { data: await projects.listByIds(toDistinctIds(id)) } };
  },

  getProjectById: async ({ path }) => ({
    status: 200,
    ...toProjectResponse(await projects.getAnyProject(path.id)),
  }),

  putProject: async ({ path, body, caller: { service }, context }) => {
    const { created, isNew } = await projects.putProject(path.id, withoutNulls(body), { service, context });
    return { status: isNew ? 201 : 200, ...toProjectResponse(created) };
  },

  changeProject: async ({ path, headers, body, caller: { service }, context }) => {
    const by = { service, context };
    const changed = await projects.changeProject(path.id, withoutNulls(body), headers['If-Match'], by);
    return { status: 200, ...toProjectResponse(changed) };
  },
});
