import { type AccountKind, ADMINISTRATOR, CUSTOMER, type Device } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail, uniqueFingerprint } from '@platform/shared/testing/builders';
import { createRecords, type Records } from '@platform/shared/testing/records';
import type { StackFile } from '@platform/shared/testing/stack';
import { type Answer, type Call, createHttpClient } from '../load/http-client.ts';
import { signInCall, toDevice } from '../load/user-actions.ts';

export type Account = { kind: AccountKind; email: string; password: string };
export type Member = Account & { userId: string };

/** What the rounds of every race need: the gateway, and the database for what only it can tell. */
export type Scene = {
  stack: StackFile;
  records: Records;
  /** @throws Error when no whole answer comes. */
  ask: (call: Call) => Promise<Answer>;
  signUp: (kind?: AccountKind) => Promise<Member>;
  signIn: (account: Account, fingerprint?: string) => Promise<Device>;
  close: () => Promise<void>;
};

export const labelOf = ({ status, code }: Answer): string => (code ? `${status} ${code}` : `${status}`);

export const withStatus = (answers: readonly Answer[], status: number): Answer[] =>
  answers.filter((answer) => answer.status === status);

export const bearer = (token: string): Record<string, string> => ({ Authorization: `Bearer ${token}` });

export const post = (path: string, body: object, headers: Record<string, string> = {}): Call => ({
  method: 'POST',
  path,
  body,
  headers,
});

export const range = (length: number): number[] => Array.from({ length }, (_, index) => index);

export const createScene = (stack: StackFile): Scene => {
  const client = createHttpClient(stack.gatewayUrl);
  const records = createRecords(stack.databaseUrl);

  const ask = async (call: Call): Promise<Answer> => {
    const outcome = await client.send(call);
    if (outcome.kind === 'failure') throw new Error(`${call.method} ${call.path}: ${outcome.cause}`);
    return outcome;
  };
  const succeed = async (call: Call, status: number): Promise<Answer> => {
    const answer = await ask(call);
    if (answer.status !== status) throw new Error(`${call.method} ${call.path}: ${labelOf(answer)}`);
    return answer;
  };

  return {
    stack,
    records,
    ask,
    signUp: async (kind = CUSTOMER) => {
      const account = { kind, email: uniqueEmail(), password: PASSWORD };
      if (kind === ADMINISTRATOR) {
        const { id, email, password } = await records.user(['ADMIN']);
        return { kind, email, password, userId: id };
      }
      const { email, password } = account;
      const { body } = await succeed(post(`${kind.path}/sign-up`, { email, password }), 201);
      return { ...account, userId: (body as { user: { id: string } }).user.id };
    },
    signIn: async (account, fingerprint = uniqueFingerprint()) =>
      toDevice(account, fingerprint, await succeed(signInCall(account, fingerprint), 200)),
    close: async () => {
      client.close();
      await records.close();
    },
  };
};

/** How many sessions and token records a user has. */
export const countSessions = async ({ records }: Scene, userId: string): Promise<string> => {
  const [row] = await records.query<{ sessions: number; tokens: number }>(
    `select (select count(*) from sessions where user_id = $1)::int as sessions,
       (select count(*) from token_records where user_id = $1)::int as tokens`,
    [userId],
  );
  return `${row?.sessions} sessions, ${row?.tokens} token records`;
};

/** How many audit records of an action there are about a target. */
export const countAudit = async ({ records }: Scene, action: string, targetId: string): Promise<number> =>
  (await records.auditOf(targetId)).filter((entry) => entry.action === action).length;
