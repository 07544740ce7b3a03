import { createBatchLoader } from '@platform/shared/db/batch-loader';
import type { Database } from '@platform/shared/db/database';
import { ACCOUNT_COLUMNS, type AccountRow } from '../accounts/account-mapper.ts';
import type { Kind } from '../kinds.ts';
import type { SignedIn } from './session.ts';
import { SESSION_COLUMNS, type SessionRow, SIGNED_IN_JOINS, toSignedIn } from './session-mapper.ts';

const byAccessTokens = (kind: Kind) => `
  select t.access_token_id as key, ${ACCOUNT_COLUMNS}, ${SESSION_COLUMNS}
  from token_records t ${SIGNED_IN_JOINS(kind)}
  where t.access_token_id = any($1::uuid[])`;

type Row = AccountRow & SessionRow & { key: string };

/** What every request with an access token asks. Not for transactions: their statements would go out on one connection. */
export const createAccessCheckStore = (database: Database) => {
  const lookUp = (kind: Kind) =>
    createBatchLoader((ids) =>
      database.query<Row>({
        name: `signed-in-by-access-tokens-${kind}`,
        text: byAccessTokens(kind),
        values: [ids],
      }),
    );
  const rows = {
    customer: lookUp('customer'),
    employee: lookUp('employee'),
    administrator: lookUp('administrator'),
  };

  return {
    /** By the unique index of access_token_id, in one statement for all requests that came in together. */
    findByAccessToken: async (kind: Kind, jti: string, userId: string): Promise<SignedIn | undefined> => {
      const row = await rows[kind](jti);
      return row?.userId === userId ? toSignedIn(kind, row) : undefined;
    },
  };
};

export type AccessCheckStore = ReturnType<typeof createAccessCheckStore>;
