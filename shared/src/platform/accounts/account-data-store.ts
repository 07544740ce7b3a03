import type { Database } from '../../db/database.ts';
import type { AuditPosition } from '../audit/audit-position.ts';

// Reads everything stored about a user, for the user's own export and for that of the back office.

/** The format of times in Postgres' JSON, with microseconds and an offset. */
const POSTGRES_TIME = /^\d{4}-\d\d-\d\dT[\d:.]+\+00:00$/;

const toIsoTime = (key: string, value: unknown): unknown =>
  /^(?:at|until)$|At$/.test(key) && typeof value === 'string' && POSTGRES_TIME.test(value)
    ? new Date(value).toISOString()
    : value;

/** `next` is the position of the last record, or null if there is no older one. */
type AuditExport = { records: object[]; next: AuditPosition | null };

/** `next` as above. */
type SignInHistory = { data: object[]; next: AuditPosition | null };

/** A page from here begins with the newest record. */
const START: AuditPosition = { at: 'infinity', id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };

type Item = { id: string };
type AccountData = { user: object; secondFactor: object; sessions: Item[]; contactForms: Item[] };
/** Later releases have added these fields to the export. The keys are the ids of sessions and forms; a session without tokens has none. */
type Additions = {
  user: object;
  isSecondStepOn: boolean;
  pauses: object[];
  staysSignedIn: Record<string, boolean>;
  replies: Record<string, object[]>;
};

export const createAccountDataStore = (database: Database) => {
  /** Undefined if the user was deleted. */
  const exportFrom = async (id: string, call: string, values: readonly (string | number)[]) => {
    const users = database('users').where({ id }).whereNull('deletedAt');
    const row = await users.first(database.raw(`${call}::text as data`, values));
    return row && JSON.parse(row.data, toIsoTime);
  };

  return {
    /** Everything that is stored about the user, except the audit records: the schema AccountExport. */
    export: async (id: string): Promise<(AccountData & Pick<Additions, 'pauses'>) | undefined> => {
      const data: AccountData | undefined = await exportFrom(id, 'export_account(id)', []);
      const added: Additions | undefined = await exportFrom(id, 'export_account_additions(id)', []);
      if (!(data && added)) return undefined;
      const { isSecondStepOn, pauses, staysSignedIn, replies } = added;
      // An export does not depend on who asks for it.
      const toSession = (session: Item) => ({
        ...session,
        staysSignedIn: staysSignedIn[session.id] ?? false,
        isCurrent: false,
      });
      return {
        ...data,
        user: { ...data.user, ...added.user, isSecondStepOn },
        sessions: data.sessions.map(toSession),
        pauses,
        contactForms: data.contactForms.map((each) => ({ ...each, replies: replies[each.id] ?? [] })),
      };
    },

    /** The newest sign-ins and failed ones before the position: the schema SignInList, without its cursor. */
    listSignIns: async (
      id: string,
      size: number,
      { at, id: recordId } = START,
    ): Promise<SignInHistory | undefined> =>
      exportFrom(id, 'list_sign_ins(id, ?, ?, ?)', [at, recordId, size]),

    /** The newest audit records before the position. */
    exportAuditRecords: (id: string, { at, id: recordId } = START): Promise<AuditExport | undefined> =>
      exportFrom(id, 'export_audit_records(id, ?, ?)', [at, recordId]),
  };
};

export type AccountDataStore = ReturnType<typeof createAccountDataStore>;
