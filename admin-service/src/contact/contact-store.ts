import type { Database } from '@platform/shared/db/database';
import type { ContactForm } from '@platform/shared/platform/mail/mail';
import type { FetchPage, List, Page, Searched } from '../lists/lists.ts';
import { inAnyForm } from '../lists/search-scripts.ts';
import { toWords } from '../lists/searches.ts';
import { toNameOf, toReferenceTo } from '../lists/user-name-scripts.ts';
import type { ContactRequest, ContactRequestKind, ContactRequestQuery } from './contact-request.ts';

const TABLES = { lead: 'lead_requests', support: 'support_requests' } as const;

/** The text of a search, for which each table has an index. */
const toSearched = (last: string): string =>
  `search_text(coalesce(name, '') || E'\\n' || email || E'\\n' || coalesce(${last}, ''))`;
const toKeys = (kind: ContactRequestKind, last: string): string => `
  select id, created_at, done_at, assignee_id, user_id, '${kind}' as kind, ${toSearched(last)} as searched
  from ${TABLES[kind]}`;
/** Postgres merges the indexes of both tables in list order. */
const FORM_KEYS = `(${toKeys('lead', 'company')} union all ${toKeys('support', 'subject')}) f`;
const FORMS = `(
    select id, 'lead' as kind, name, email, phone, company, null as subject, message, created_at, done_at, done_by,
      assignee_id, user_id, replied_at from lead_requests
    union all
    select id, 'support', name, email, null, null, subject, message, created_at, done_at, done_by,
      assignee_id, user_id, replied_at from support_requests
  ) f`;

/** Name, address and company or subject are lines of one text, because it needs only one index. */
const inOneLine: Searched = (patterns, terms) => {
  const contains = inAnyForm('f.searched')(patterns, terms);
  if (terms.length === 1) return contains;
  const line = inAnyForm('line')(patterns, terms);
  return `${contains} and exists (select from string_to_table(f.searched, E'\\n') line where ${line})`;
};

const COLUMNS = `f.id, f.kind, f.name, f.email, f.phone, f.company, f.subject, f.message, f.created_at, f.done_at,
  ${toReferenceTo('f.done_by')} as done_by, ${toReferenceTo('f.assignee_id')} as assignee,
  case when f.user_id is not null then json_build_object('id', f.user_id, 'name', ${toNameOf('f.user_id')}) end as account,
  f.replied_at`;

const CONTACT_REQUESTS: List = {
  name: 'contact-requests',
  from: FORM_KEYS,
  id: 'f.id',
  order: 'f.created_at',
  filters: {
    kind: 'f.kind = ?',
    isDone: '(f.done_at is not null) = ?',
    assigneeId: 'f.assignee_id = ?',
    isUnassigned: '(f.assignee_id is null) = ?',
    userId: 'f.user_id = ?',
  },
  searched: [inOneLine],
  columns: COLUMNS,
  joins: `join ${FORMS} on f.id = page.id`,
};

export const createContactList = (fetchPage: FetchPage) => ({
  list: ({ q, assigneeId, ...query }: ContactRequestQuery): Promise<Page<ContactRequest>> =>
    fetchPage<ContactRequest>(CONTACT_REQUESTS, {
      ...query,
      terms: toWords(q),
      ...(assigneeId === 'none' ? { isUnassigned: true } : { assigneeId }),
    }),
});

export type ContactList = ReturnType<typeof createContactList>;

export const createContactStore = (database: Database) => {
  /** Updates the form in whichever table it is; true if it matched. */
  const update = async (
    id: string,
    state: (form: ReturnType<Database['queryBuilder']>) => unknown,
    change: object,
  ) => {
    for (const table of Object.values(TABLES)) {
      const form = database(table).where({ id });
      void state(form);
      if ((await form.update(change)) === 1) return true;
    }
    return false;
  };

  const find = async (id: string): Promise<ContactRequest | undefined> => {
    const { rows } = await database.raw<{ rows: ContactRequest[] }>(
      `select ${COLUMNS} from ${FORMS} where f.id = ?`,
      [id],
    );
    return rows[0];
  };

  return {
    add: async (kind: ContactRequestKind, form: ContactForm): Promise<void> => {
      await database(TABLES[kind]).insert(form);
    },

    find,

    /** Until the transaction ends, nobody else changes or deletes the form. */
    lock: async (id: string): Promise<ContactRequest | undefined> => {
      for (const table of Object.values(TABLES))
        await database(table).where({ id }).forNoKeyUpdate().first('id');
      return await find(id);
    },

    /**
     * False if the form does not exist or already is in this state. Of two concurrent calls, one returns true.
     * @param doneBy null marks the form as not done
     */
    setDone: (id: string, doneBy: string | null): Promise<boolean> =>
      update(id, (form) => (doneBy === null ? form.whereNotNull('doneAt') : form.whereNull('doneAt')), {
        doneAt: doneBy === null ? null : database.fn.now(),
        doneBy,
      }),

    /** False if the form does not exist or already is assigned to this user, or to nobody. */
    assign: (id: string, assigneeId: string | null): Promise<boolean> =>
      update(id, (form) => form.whereRaw('assignee_id is distinct from ?', [assigneeId]), { assigneeId }),

    setReplied: (id: string): Promise<boolean> =>
      update(id, () => undefined, { repliedAt: database.fn.now() }),
  };
};

export type ContactStore = ReturnType<typeof createContactStore>;
