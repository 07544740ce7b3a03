import { bearer } from '@platform/shared/testing/auth-client';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import type { Check, Probe } from '../probe.ts';
import type { UndoList } from '../run-sections.ts';
import { type AccountState, requireDevice, signIn } from './account-state.ts';
import { enableTotp } from './second-factor.ts';

const USERS = '/api/v1/users';
const PROJECTS = '/api/v1/projects';

type Project = { id: string; title: string; deletedAt: string | null };

/** Sends requests as the administrator. */
const createSender =
  (administrator: AccountState, probe: Probe) =>
  (method: string, path: string, body?: object): Promise<HttpResponse> =>
    probe.call({ method, path, headers: bearer(requireDevice(administrator, probe)), body });

/** Ends what a user has; the user signs in again afterwards. */
const endCheck = (administrator: AccountState, user: AccountState, undo: UndoList): Check => ({
  name: 'end of the sessions and removal of the second factor of the new user: the tokens are invalid',
  operations: /^removeSecondFactor$/,
  run: async (probe) => {
    for (const route of ['sessions', 'second-factor']) {
      if (route === 'second-factor') await enableTotp(user, probe);
      const device = requireDevice(user, probe);
      const path = `${USERS}/${user.user?.id}/${route}`;
      probe.expect(await createSender(administrator, probe)('DELETE', path), 204);
      probe.expect(await probe.auth(user.kind).me(device), 401, 'TOKEN_INVALID');
      await signIn(user, probe, undo);
    }
  },
});

/** A rejected change needs no undo; one with a 5xx or without a response may need it. */
const isRejected = ({ status }: HttpResponse): boolean => status >= 400 && status < 500;

/** Blocks a user that the checks have created. */
const blockCheck = (administrator: AccountState, user: AccountState, undo: UndoList): Check => ({
  name: 'block and unblock of the new user: 401 USER_BLOCKED in between, and the tokens are valid again',
  run: async (probe) => {
    const send = createSender(administrator, probe);
    const device = requireDevice(user, probe);
    const auth = probe.auth(user.kind);
    const path = `${USERS}/${user.user?.id}`;
    const what = `unblock ${user.email}`;
    undo.add({
      what,
      run: async (last) =>
        last.expect(await createSender(administrator, last)('PATCH', `${path}/unblock`), 200),
    });
    const block = await send('PATCH', `${path}/block`);
    probe.expect(block, 200);
    if (isRejected(block)) return undo.remove(what);
    probe.expect(await auth.me(device), 401, 'USER_BLOCKED');
    probe.expect(await auth.signIn(user, device.fingerprint), 401, 'USER_BLOCKED');
    probe.expect(await send('PATCH', `${path}/block`), 400, 'USER_ALREADY_BLOCKED');
    const blocked = await send('GET', path);
    probe.check(blocked.body?.isBlocked === true, '/isBlocked is not true', blocked);
    const unblocked = await send('PATCH', `${path}/unblock`);
    probe.expect(unblocked, 200);
    if (unblocked.status === 200) undo.remove(what);
    probe.expect(await send('PATCH', `${path}/unblock`), 400, 'USER_NOT_BLOCKED');
    probe.expect(await auth.me(device), 200);
  },
});

const findProject = async (send: ReturnType<typeof createSender>, probe: Probe): Promise<Project> => {
  const list = await send('GET', `${PROJECTS}?perPage=1`);
  probe.expect(list, 200);
  return list.body?.data?.[0] ?? probe.skip('there is no project');
};

/** The result has another length than the title, and is within the limit. */
const changeTitle = (title: string): string =>
  title.length < 200 ? `${title} (check)` : title.slice(0, 100);

const editCheck = (administrator: AccountState, undo: UndoList): Check => ({
  name: 'edit of the newest project: the new title, and the old one again',
  operations: /Project$/,
  run: async (probe) => {
    const send = createSender(administrator, probe);
    const { id, title } = await findProject(send, probe);
    const path = `${PROJECTS}/${id}`;
    const what = `restore the title of project ${id}`;
    undo.add({
      what,
      run: async (last) =>
        last.expect(await createSender(administrator, last)('PATCH', path, { title }), 200),
    });
    const edited = await send('PATCH', path, { title: changeTitle(title) });
    probe.expect(edited, 200);
    if (isRejected(edited)) return undo.remove(what);
    probe.check(edited.body?.title === changeTitle(title), '/title has not changed', edited);
    const restored = await send('PATCH', path, { title });
    probe.expect(restored, 200);
    if (restored.body?.title === title) undo.remove(what);
    else probe.check(false, '/title is not the old one', restored);
  },
});

const deleteCheck = (administrator: AccountState, undo: UndoList): Check => ({
  name: 'deletion and restoration of the newest project: 404 PROJECT_NOT_FOUND in between',
  run: async (probe) => {
    const send = createSender(administrator, probe);
    const { id } = await findProject(send, probe);
    const path = `${PROJECTS}/${id}`;
    const what = `restore project ${id}`;
    undo.add({
      what,
      run: async (last) =>
        last.expect(await createSender(administrator, last)('PATCH', `${path}/restore`), 200),
    });
    const deleted = await send('DELETE', path);
    probe.expect(deleted, 204);
    if (isRejected(deleted)) return undo.remove(what);
    probe.expect(await send('GET', path), 404, 'PROJECT_NOT_FOUND');
    probe.expect(await send('PATCH', path, {}), 404, 'PROJECT_NOT_FOUND');
    probe.expect(await send('DELETE', path), 404, 'PROJECT_NOT_FOUND');
    const restored = await send('PATCH', `${path}/restore`);
    probe.expect(restored, 200);
    if (restored.status === 200) undo.remove(what);
    probe.check(restored.body?.deletedAt === null, '/deletedAt is not null', restored);
    probe.expect(await send('GET', path), 200);
  },
});

const auditCheck = (administrator: AccountState, user: AccountState): Check => ({
  name: 'audit log: the block and the unblock, with the administrator',
  run: async (probe) => {
    const id = user.user?.id ?? probe.skip('not signed up');
    const path = `/api/v1/administrator/audit-log?targetId=${id}`;
    const response = await createSender(administrator, probe)('GET', path);
    probe.expect(response, 200);
    for (const expected of ['USER_BLOCKED', 'USER_UNBLOCKED']) {
      const record = response.body?.data?.find(({ action }: { action: string }) => action === expected);
      probe.check(
        record?.actorId === administrator.user?.id,
        `no ${expected} of the administrator`,
        response,
      );
    }
  },
});

/**
 * Changes one user, which the checks have created, and one project, which gets its state back. The verification of a team cannot be
 * undone, so it is not tried.
 */
export const backOfficeChangeChecks = (
  administrator: AccountState,
  user: AccountState,
  undo: UndoList,
): Check[] => [
  blockCheck(administrator, user, undo),
  auditCheck(administrator, user),
  endCheck(administrator, user, undo),
  editCheck(administrator, undo),
  deleteCheck(administrator, undo),
];
