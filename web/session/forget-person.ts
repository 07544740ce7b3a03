import type { Kind, PlatformClient } from '@platform/client';
import { pageState } from '../page/page-state.ts';
import { inTab } from '../page/stored.ts';
import { deleteDrafts, readDraft, saveDraft } from './drafts.ts';

/** The key of a counter of this tab, which each `forgetPerson` raises. Nothing is stored before the first one. */
const EPOCH = 'platform.epoch';

const readEpoch = (): number => Number(inTab.read(EPOCH));

// The state of a history entry may contain a typed address or a search, and a page can change only the current entry.
// So each entry stores its epoch, and one of an earlier epoch is emptied before the page reads it.
// The router reports each write as an event.
const addEpoch = (): void => {
  const epoch = readEpoch();
  if (epoch > 0 && history.state && history.state.epoch !== epoch)
    history.replaceState({ ...history.state, epoch }, '');
};
for (const type of ['pushState', 'replaceState']) window.addEventListener(type, addEpoch);
const emptyEarlierEntry = (): void => {
  if (history.state && (history.state.epoch ?? 0) !== readEpoch()) history.replaceState(null, '');
};
emptyEarlierEntry();
window.addEventListener('popstate', emptyEarlierEntry);

// The back button may restore a page from memory whose person has signed out in this tab since.
const epochOfPage = readEpoch();
window.addEventListener('pageshow', ({ persisted }) => {
  if (!persisted || readEpoch() === epochOfPage) return;
  document.body.hidden = true;
  window.location.reload();
});

/** Deletes drafts and the states of history entries. The current entry keeps its state until a reload. */
export const forgetPerson = (): void => {
  pageState.set({ typedPassword: undefined });
  try {
    deleteDrafts();
  } catch {
    // Without storage, there are no drafts.
  }
  inTab.save(EPOCH, String(readEpoch() + 1));
};

/**
 * Forgets the person at sign-out and when another user signs in. After the session has expired, the drafts wait for
 * the same person, who may sign in on a provider's page meanwhile.
 */
export const forgetWhenPersonChanges = <K extends Kind>(kind: K, client: PlatformClient<K>): void => {
  const draft = `owner.${kind}`;
  let owner = readDraft(draft);
  const change = (next: string): void => {
    if (owner && owner !== next) forgetPerson();
    owner = next;
    saveDraft(draft, next);
  };
  const { user } = client.getSnapshot();
  if (user) {
    // Another tab may have signed this user in while the tab was closed.
    change(user.id);
    emptyEarlierEntry();
  }
  client.on('signed-in', (event) => change(event.user.id));
  client.on('signed-out', ({ reason }) => {
    if (reason === 'SIGNED_OUT') change('');
  });
};
