import { randomUUID } from 'node:crypto';
import { ADMINISTRATOR, createAuthClient } from '@platform/shared/testing/auth-client';
import type { HttpClient } from '@platform/shared/testing/http-client';
import { createRecords } from '@platform/shared/testing/records';
import type { ExpectedState } from './expected-state.ts';
import type { RequestLog } from './request-log.ts';

/**
 * A signed-in administrator, and the projects, users and teams to change. Each load takes users and teams out
 * of the lists. Afterwards some users are blocked, and all of its teams are verified.
 */
export type AdminFixture = {
  adminToken: string;
  projectIds: readonly string[];
  userIds: string[];
  teamIds: string[];
};

/** Sufficient for several loads. A project whose change failed is not used again. */
const PROJECTS = 5_000;
const TEAMS = 25_000;
const USERS = 10_000;

/** Inserts the records that no route creates: an administrator, projects and teams. */
export const createAdminFixture = async (databaseUrl: string, client: HttpClient): Promise<AdminFixture> => {
  const records = createRecords(databaseUrl);
  try {
    const administrator = await records.user(['ADMIN']);
    const owner = await records.user(['CUSTOMER']);
    const rows = await records.query<{ id: string }>(
      `insert into projects (id, owner_id, title, description, category, status)
       select gen_random_uuid(), $1, 'Shop ' || n, 'To be edited.', 'WEB', 'DRAFT' from generate_series(1, $2::int) n
       returning id`,
      [owner.id, PROJECTS],
    );
    const teams = await records.query<{ id: string }>(
      `insert into teams (id, name, slug, status)
       select gen_random_uuid(), 'Studio ' || n, 'studio-' || gen_random_uuid(), 'ONBOARDING' from generate_series(1, $1::int) n
       returning id`,
      [TEAMS],
    );
    const users = await records.query<{ id: string }>(
      `with created as (
         insert into users (email, password_hash) select gen_random_uuid() || '@example.com', 'none'
         from generate_series(1, $1::int) returning id, created_at
       )
       insert into user_roles (user_id, role, user_created_at)
       select id, 'CUSTOMER', created_at from created returning user_id as id`,
      [USERS],
    );
    const auth = createAuthClient(client.baseUrl, ADMINISTRATOR, client.sendOrThrow);
    const { accessToken } = await auth.openDevice(administrator);
    const getIds = (found: readonly { id: string }[]) => found.map(({ id }) => id);
    return {
      adminToken: accessToken,
      projectIds: getIds(rows),
      userIds: getIds(users),
      teamIds: getIds(teams),
    };
  } finally {
    await records.close();
  }
};

const LISTS = {
  'users list': '/api/v1/users?perPage=20&role=CUSTOMER',
  'projects list': '/api/v1/projects?perPage=20&search=edit',
  'teams list': '/api/v1/administrator/teams?perPage=20',
} as const;

export type List = keyof typeof LISTS;

type BlockableUser = { id: string; isBlocked: boolean };

type Options = {
  client: HttpClient;
  requestLog: RequestLog;
  expectedState: ExpectedState;
  adminToken: string;
};

/**
 * The actions of administrators and the landing page. Each acknowledged write is added to the expected state.
 */
export const createAdminActions = ({ client, requestLog, expectedState, adminToken }: Options) => {
  const headers = { Authorization: `Bearer ${adminToken}` };

  return {
    list: async (list: List): Promise<void> => {
      await requestLog.record(list, 200, client.send({ path: LISTS[list], headers }));
    },

    /** Returns the project, or undefined if its title is no longer known. */
    editProject: async (projectId: string): Promise<string | undefined> => {
      const title = `Edit ${randomUUID()}`;
      const { titles } = expectedState;
      const before = titles.get(projectId);
      if (before) titles.set(projectId, { ...before, titles: [...before.titles, title] });
      const path = `/api/v1/projects/${projectId}`;
      const request = client.send({ method: 'PATCH', path, headers, body: { title } });
      if (!(await requestLog.record('project edit', 200, request))) return undefined;
      titles.set(projectId, { titles: [title], at: Date.now() });
      expectedState.acknowledgedWrites += 1;
      return projectId;
    },

    /** Blocks or unblocks the user. Returns undefined if the state of the user is no longer known. */
    toggleBlock: async ({ id, isBlocked }: BlockableUser): Promise<BlockableUser | undefined> => {
      const { blocks } = expectedState;
      const path = `/api/v1/users/${id}/${isBlocked ? 'unblock' : 'block'}`;
      blocks.delete(id);
      const request = client.send({ method: 'PATCH', path, headers });
      if (!(await requestLog.record('user block', 200, request))) return undefined;
      blocks.set(id, { isBlocked: !isBlocked, at: Date.now() });
      expectedState.acknowledgedWrites += 1;
      return { id, isBlocked: !isBlocked };
    },

    verifyTeam: async (teamId: string): Promise<undefined> => {
      const path = `/api/v1/administrator/teams/${teamId}/verify`;
      const request = client.send({ method: 'POST', path, headers });
      if (!(await requestLog.record('team verification', 201, request))) return;
      expectedState.verifiedTeams.set(teamId, { at: Date.now() });
      expectedState.acknowledgedWrites += 1;
    },

    /** Returns the marker that identifies the mail of an acknowledged form. */
    submitForm: async (form: 'lead' | 'support'): Promise<string | undefined> => {
      const marker = `form-${randomUUID()}`;
      const email = 'visitor@example.com';
      const body =
        form === 'lead'
          ? { name: 'Ada', email, message: marker }
          : { email, subject: 'Support', message: marker };
      const request = client.send({ method: 'POST', path: `/api/v1/contact/${form}`, body });
      if (!(await requestLog.record('contact form', 204, request))) return undefined;
      expectedState.mails.set(marker, { at: Date.now() });
      expectedState.acknowledgedWrites += 1;
      return marker;
    },
  };
};

export type AdminActions = ReturnType<typeof createAdminActions>;
