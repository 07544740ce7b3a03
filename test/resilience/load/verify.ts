import { uniqueFingerprint } from '@platform/shared/testing/builders';
import type { Ledger } from './expected-state.ts';
import type { HttpClient, Outcome } from './http-client.ts';
import { afterRefresh, meCall, refreshCall, signInCall } from './user-actions.ts';

type Verification = { client: HttpClient; ledger: Ledger; adminToken: string };

const AT_ONCE = 8;

const describe = (outcome: Outcome): string =>
  outcome.kind === 'failure' ? outcome.cause : `${outcome.status} ${outcome.code ?? ''}`;

const isOk = (outcome: Outcome): boolean => outcome.kind === 'answer' && outcome.status === 200;

/** Checks every item, a few at a time; answers what is wrong with them. */
const inspect = async <Item>(
  items: readonly Item[],
  check: (item: Item) => Promise<string | undefined>,
): Promise<string[]> => {
  const waiting = [...items];
  const wrong: string[] = [];
  const work = async () => {
    for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) {
      const found = await check(item);
      if (found !== undefined) wrong.push(found);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return wrong;
};

/** Looks through the public API for every write that was acknowledged since a time, and answers those that are lost. */
export const createVerification = ({ client, ledger, adminToken }: Verification) => {
  const checkAccount = async ({ account, passwords }: ReturnType<typeof accountsSince>[number]) => {
    const endings: string[] = [];
    for (const password of passwords) {
      const outcome = await client.send(signInCall({ ...account, password }, uniqueFingerprint()));
      if (isOk(outcome)) return undefined;
      endings.push(describe(outcome));
    }
    return `${account.email}: sign-in answers ${endings.join(', ')}`;
  };

  /** The refresh rotates the pair, so the device keeps the new one. */
  const checkSession = async ({ visitor }: ReturnType<typeof sessionsSince>[number]) => {
    const { kind, device, fingerprint } = visitor;
    if (!device) return undefined;
    const me = await client.send(meCall(kind, device));
    if (!isOk(me)) return `session of ${fingerprint}: me answers ${describe(me)}`;
    const refreshed = await client.send(refreshCall(kind, device));
    if (refreshed.kind === 'failure' || refreshed.status !== 200)
      return `session of ${fingerprint}: refresh answers ${describe(refreshed)}`;
    visitor.device = afterRefresh(kind, device, refreshed);
    return undefined;
  };

  const checkTitle = async ([id, { titles }]: ReturnType<typeof titlesSince>[number]) => {
    const headers = { Authorization: `Bearer ${adminToken}` };
    const outcome = await client.send({ method: 'GET', path: `/api/v1/projects/${id}`, headers });
    if (outcome.kind === 'failure' || outcome.status !== 200)
      return `project ${id}: answers ${describe(outcome)}`;
    const { title } = outcome.body as { title: string };
    return titles.includes(title) ? undefined : `project ${id}: "${title}" is none of ${titles.join(', ')}`;
  };

  const isSince = (since: number) => (entry: { at: number }) => entry.at >= since;
  const accountsSince = (since: number) => [...ledger.accounts.values()].filter(isSince(since));
  const sessionsSince = (since: number) => [...ledger.sessions.values()].filter(isSince(since));
  const titlesSince = (since: number) => [...ledger.titles].filter(([, entry]) => entry.at >= since);

  return {
    findLost: async (since: number): Promise<string[]> => [
      ...(await inspect(accountsSince(since), checkAccount)),
      ...(await inspect(sessionsSince(since), checkSession)),
      ...(await inspect(titlesSince(since), checkTitle)),
    ],
  };
};
