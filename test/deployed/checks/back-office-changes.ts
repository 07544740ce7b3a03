import type { HttpResponse } from '@platform/shared/testing/http-client';
import { hasOperation } from '../contract.ts';
import { type AccountChecks, type AccountState, type SignedIn, toSignedIn } from './account-state.ts';
import type { NewUsers } from './new-user.ts';
import { enableTotp } from './second-factor.ts';

const PROJECTS = '/api/v1/projects';

type Change = Parameters<SignedIn['send']>;
type Revertible = { what: string; change: Change; revert: Change };

/**
 * Changes something, runs `between`, and reverts the change; if that fails, at the end of the run. Returns
 * the last response.
 */
const changeAndRevert = async (
  { state, undos, send, expect }: SignedIn,
  { what, change, revert }: Revertible,
  between: () => Promise<unknown>,
): Promise<HttpResponse> => {
  undos.set(what, (last) => last.expect(toSignedIn(state, last).send(...revert), 200));
  const changed = await send(...change);
  // After a 5xx or no response, the change may have been made.
  if (changed.status >= 400 && changed.status < 500) undos.delete(what);
  await expect(changed, change[0] === 'DELETE' ? 204 : 200);
  await between();
  const reverted = await expect(send(...revert), 200);
  undos.delete(what);
  return reverted;
};

/** Changes that an administrator makes to a user that the checks have created. */
export const userChanges = (user: AccountState, { created }: Pick<NewUsers, 'created'>): AccountChecks => ({
  async 'block and unblock: 401 USER_BLOCKED in between, and the tokens are valid again'(administrator) {
    const { send, expect, check } = administrator;
    const { client, device, sendPassword } = toSignedIn(user, administrator);
    const path = `/api/v1/users/${user.user?.id}`;
    const change: Change = ['PATCH', `${path}/block`];
    const revert: Change = ['PATCH', `${path}/unblock`];
    await changeAndRevert(administrator, { what: `unblock ${user.email}`, change, revert }, async () => {
      await expect(client.me(device), 401, 'USER_BLOCKED');
      await expect(sendPassword(), 401, 'USER_BLOCKED');
      await expect(send(...change), 400, 'USER_ALREADY_BLOCKED');
      const blocked = await expect(send('GET', path), 200);
      check(blocked.body.isBlocked === true, '/isBlocked is not true', blocked);
    });
    await expect(send(...revert), 400, 'USER_NOT_BLOCKED');
    await expect(client.me(device), 200);
  },
  async 'audit log: the block and the unblock, with the administrator'(administrator) {
    const { state, send, expect, check, skip } = administrator;
    const id = user.user?.id ?? skip('not signed up');
    const { name } = (await expect(send('GET', `/api/v1/users/${id}`), 200)).body;
    for (const filter of ['targetId', 'userId']) {
      const path = `/api/v1/administrator/audit-log?${filter}=${id}&perPage=100`;
      const response = await expect(send('GET', path), 200);
      for (const expected of ['USER_BLOCKED', 'USER_UNBLOCKED']) {
        const record = response.body.data.find(({ action }: { action: string }) => action === expected);
        check(record?.actorId === state.user?.id, `no ${expected} of the administrator`, response);
        check(record?.targetName === (name ?? user.email), '/targetName is not the name', response);
      }
    }
  },
  async 'name of the administrator: a change is stored, and colleagues see it'(administrator) {
    administrator.covers(/^administratorName/);
    const { contract, send, expect, check, skip } = administrator;
    if (!hasOperation(contract, /^administratorName$/)) skip('the release has no names of administrators');
    const path = '/api/v1/auth/admin/name';
    const { name } = (await expect(send('GET', path), 200)).body;
    const change: Change = ['PATCH', path, { name: 'check:deployed' }];
    const revert: Change = ['PATCH', path, { name }];
    const what = 'the name of the administrator';
    const reverted = await changeAndRevert(administrator, { what, change, revert }, async () => {
      const me = await expect(send('GET', '/api/v1/users/me'), 200);
      check(me.body.name !== null, '/name is null', me);
    });
    check(reverted.body.name === name, '/name is not the former one', reverted);
  },
  async 'notes: an added note is in the list'(administrator) {
    const { send, expect, check, skip } = administrator;
    const path = `/api/v1/users/${user.user?.id ?? skip('not signed up')}/notes`;
    const added = await expect(send('POST', path, { text: 'Added by npm run check:deployed.' }), 201);
    const list = await expect(send('GET', path), 200);
    check(list.body.data[0]?.id === added.body.id, 'the note is not the first one', list);
  },
  async 'invitations: one is listed, the next replaces it; without the code of the mail, nobody accepts it'(
    administrator,
  ) {
    administrator.covers(/^(?:invite|withdrawInvitation|listInvitations)$/);
    const { call, send, expect, check } = administrator;
    const path = '/api/v1/administrator/invitations';
    const body = { email: `invited-${user.email}`, role: 'OPERATOR' };
    const response = await send('POST', path, body);
    if (response.code === 'DOMAIN_NOT_ALLOWED') administrator.skip('the domain is not allowed');
    const first = await expect(response, 201);
    const second = await expect(send('POST', path, body), 201);
    const list = await expect(send('GET', path), 200);
    const ids = list.body.data.map(({ id }: { id: string }) => id);
    check(ids.includes(second.body.id) && !ids.includes(first.body.id), 'not the second one alone', list);
    for (const operation of ['check', 'accept']) {
      const guess = { code: second.body.id, password: user.password };
      const sent = call({ method: 'POST', path: `/api/v1/auth/admin/invitations/${operation}`, body: guess });
      await expect(sent, 400, 'CODE_INVALID');
    }
    await expect(send('DELETE', `${path}/${second.body.id}`), 204);
    for (const { body: gone } of [first, second])
      await expect(send('DELETE', `${path}/${gone.id}`), 404, 'INVITATION_NOT_FOUND');
  },
  async 'sessions of a user: the session is in the list; its tokens are invalid after its end'(
    administrator,
  ) {
    const { send, expect, check } = administrator;
    const signedIn = toSignedIn(user, administrator);
    const { client, device } = signedIn;
    const path = `/api/v1/users/${user.user?.id}/sessions`;
    const list = await expect(send('GET', path), 200);
    const ids = list.body.data.map(({ id }: { id: string }) => id);
    check(ids.includes(device.sessionId), 'the session is not in the list', list);
    await expect(send('DELETE', `${path}/${device.sessionId}`), 204);
    await expect(client.me(device), 401, 'TOKEN_INVALID');
    await expect(send('DELETE', `${path}/${device.sessionId}`), 404, 'SESSION_NOT_FOUND');
    await signedIn.signIn();
  },
  async 'deletion of an account by an administrator: the card is anonymous, and the address is free'(
    administrator,
  ) {
    const { send, expect, check } = administrator;
    const account = { email: `deleted-${user.email}`, password: user.password };
    const signUp = () => administrator.auth(user.kind).signUp({ body: account });
    for (const _time of ['first', 'again']) {
      const signedUp = await expect(signUp(), 201);
      created.add(account);
      const path = `/api/v1/users/${signedUp.body.user.id}`;
      await expect(send('DELETE', path), 204);
      created.delete(account);
      const card = await expect(send('GET', path), 200);
      check(card.body.email === 'deleted', '/email is not `deleted`', card);
      await expect(send('DELETE', path), 404, 'USER_NOT_FOUND');
    }
  },
  async 'data of a user: the mails, and the export, with the account'(administrator) {
    administrator.covers(/^(?:listMailsOf|export)User$/);
    const { contract, send, expect, check, skip } = administrator;
    if (!hasOperation(contract, /^exportUser$/)) skip('the release has no export by an administrator');
    const path = `/api/v1/users/${user.user?.id ?? skip('not signed up')}`;
    const mails = await expect(send('GET', `${path}/mails?perPage=100`), 200);
    const exported = await expect(send('GET', `${path}/export`), 200);
    check(exported.body.user.email === user.email, '/user is another one', exported);
    check(exported.body.mails.length >= mails.body.data.length, '/mails lacks a listed mail', exported);
  },
  async 'factors, identities and pauses of a user: those that are not there are not found'(administrator) {
    const { contract, send, expect, skip } = administrator;
    if (!hasOperation(contract, /^endPauseOfUser$/)) skip('the release has no removal of single ones');
    const id = user.user?.id ?? skip('not signed up');
    for (const [path, code] of [
      ['totp', 'FACTOR_NOT_FOUND'],
      [`passkeys/${id}`, 'PASSKEY_NOT_FOUND'],
      [`identities/${id}`, 'IDENTITY_NOT_FOUND'],
      ['pauses/password', 'PAUSE_NOT_FOUND'],
    ] as const)
      await expect(send('DELETE', `/api/v1/users/${id}/${path}`), 404, code);
  },
  async 'end of the sessions, removal of the second factor: the tokens are invalid'(administrator) {
    administrator.covers(/^remove(?:SecondFactor|TotpOfUser)$/);
    const hasSingle = hasOperation(administrator.contract, /^removeTotpOfUser$/);
    for (const route of ['sessions', 'second-factor', ...(hasSingle ? ['totp'] : [])]) {
      const signedIn = toSignedIn(user, administrator);
      const { client, device, expect } = signedIn;
      if (route !== 'sessions') await enableTotp(signedIn);
      await expect(administrator.send('DELETE', `/api/v1/users/${user.user?.id}/${route}`), 204);
      await expect(client.me(device), 401, 'TOKEN_INVALID');
      await signedIn.signIn();
    }
  },
});

const findProject = async (administrator: SignedIn): Promise<{ path: string; title: string }> => {
  const { send, expect, covers, skip } = administrator;
  covers(/Project$/);
  const list = await expect(send('GET', `${PROJECTS}?perPage=1`), 200);
  const { id, title } = list.body.data[0] ?? skip('there is no project');
  return { path: `${PROJECTS}/${id}`, title };
};

/** Returns a title of another length within the limit. */
const changeTitle = (title: string): string =>
  title.length < 200 ? `${title} (check)` : title.slice(0, 100);

/** Marks the newest contact form as done, and as it was. */
const contactFormChange: AccountChecks = {
  async 'contact forms: the newest one is marked as done, and as it was'(administrator) {
    const { send, expect, check, covers, skip } = administrator;
    covers(/ContactRequest$/);
    const path = '/api/v1/administrator/contact-requests';
    const list = await expect(send('GET', `${path}?perPage=1`), 200);
    const { id, doneAt } = list.body.data[0] ?? skip('there is no contact form');
    const isDone = doneAt !== null;
    const change: Change = ['PATCH', `${path}/${id}`, { isDone: !isDone }];
    const revert: Change = ['PATCH', `${path}/${id}`, { isDone }];
    const what = `mark the contact form ${id} as before`;
    const reverted = await changeAndRevert(administrator, { what, change, revert }, async () => undefined);
    check((reverted.body.doneAt !== null) === isDone, '/doneAt is not as before', reverted);
  },
};

/** A reply would be mailed, and a note stays until the form is deleted. */
const contactFormNote: AccountChecks = {
  async 'contact forms: the newest one is taken, has a note, and is as before'(administrator) {
    const { state, contract, send, expect, check, covers, skip } = administrator;
    if (!hasOperation(contract, /^addContactRequestNote$/))
      skip('the release has no notes about contact forms');
    covers(/ContactRequest(?:Note)?$/);
    const list = await expect(send('GET', '/api/v1/administrator/contact-requests?perPage=1'), 200);
    const { id, assignee } = list.body.data[0] ?? skip('there is no contact form');
    const path = `/api/v1/administrator/contact-requests/${id}`;
    const change: Change = ['PATCH', path, { assigneeId: state.user?.id }];
    const revert: Change = ['PATCH', path, { assigneeId: assignee?.id ?? null }];
    const what = `assign the contact form ${id} as before`;
    const reverted = await changeAndRevert(administrator, { what, change, revert }, async () => {
      const note = await expect(
        send('POST', `${path}/notes`, { text: 'Added by npm run check:deployed.' }),
        201,
      );
      const form = await expect(send('GET', path), 200);
      check(form.body.assignee?.id === state.user?.id, '/assignee is not the administrator', form);
      check(form.body.notes[0]?.id === note.body.id, 'the note is not the first one', form);
    });
    check(
      (reverted.body.assignee?.id ?? null) === (assignee?.id ?? null),
      '/assignee is not as before',
      reverted,
    );
  },
};

/** Each project is restored. A verification of a team cannot be undone, so it is not tried. */
export const projectChanges: AccountChecks = {
  ...contactFormChange,
  ...contactFormNote,
  async 'edit of the newest project: the new title, and the old one again'(administrator) {
    const { path, title } = await findProject(administrator);
    const what = `restore the title of ${path}`;
    const change: Change = ['PATCH', path, { title: changeTitle(title) }];
    const revert: Change = ['PATCH', path, { title }];
    await changeAndRevert(administrator, { what, change, revert }, () => administrator.send('GET', path));
  },
  async 'deletion and restoration of the newest project: 404 PROJECT_NOT_FOUND in between'(administrator) {
    const { send, expect, check } = administrator;
    const { path } = await findProject(administrator);
    const change: Change = ['DELETE', path];
    const revert: Change = ['PATCH', `${path}/restore`];
    const revertible = { what: `restore ${path}`, change, revert };
    const restored = await changeAndRevert(administrator, revertible, async () => {
      for (const method of ['GET', 'PATCH', 'DELETE'])
        await expect(send(method, path, method === 'PATCH' ? {} : undefined), 404, 'PROJECT_NOT_FOUND');
    });
    check(restored.body.deletedAt === null, '/deletedAt is not null', restored);
    await expect(send('GET', path), 200);
  },
};
