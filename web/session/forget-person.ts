import type { Kind, PlatformClient } from '@platform/client';
import { inTab } from '../page/stored.ts';
import { deleteDrafts, readDraft, saveDraft } from './drafts.ts';

/** How many people this tab has forgotten. Nothing is stored before the first one. */
const EPOCH = 'platform.epoch';

const readEpoch = (): number => Number(inTab.read(EPOCH));

const addEpoch = (state: unknown): unknown => {
  const epoch = readEpoch();
  return epoch > 0 && state ? { ...state, epoch } : state;
};

// The state of a history entry may contain a typed address or a search, and a page can change only the current entry.
// So each entry stores its epoch, and one of an earlier epoch is emptied before the page reads it.
for (const method of ['pushState', 'replaceState'] as const) {
  const write = history[method].bind(history);
  history[method] = (state, ...place) => write(addEpoch(state), ...place);
}
const emptyEarlierEntry = (): void => {
  if (history.state && (history.state.epoch ?? 0) !== readEpoch()) history.replaceState(null, '');
};
emptyEarlierEntry();
window.addEventListener('popstate', emptyEarlierEntry);

const listeners = new Set<() => void>();

/** Adds a function that deletes personal data from the memory of the page. */
export const onForget = (forget: () => void): void => {
  listeners.add(forget);
};

/** Deletes drafts, loaded data and the states of history entries. The current entry keeps its state until a reload. */
export const forgetPerson = (): void => {
  for (const forget of listeners) forget();
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
