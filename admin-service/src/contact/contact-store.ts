import type { Database } from '@platform/shared/db/database';
import type { ContactForm } from '@platform/shared/platform/mail/mail';
import { type FetchPage, type List, mapPage, type Page } from '../lists/lists.ts';
import { toNameOf } from '../lists/user-name-scripts.ts';
import { toUserReference } from '../lists/user-reference.ts';
import type { ContactRequest, ContactRequestKind, ContactRequestQuery } from './contact-request.ts';

const TABLES = { lead: 'lead_requests', support: 'support_requests' } as const;

/** Postgres merges the indexes of both tables in list order. */
const KEYS = `(
    select id, created_at, done_at, 'lead' as kind from lead_requests
    union all select id, created_at, done_at, 'support' from support_requests
  ) f`;
const FORMS = `(
    select id, 'lead' as kind, name, email, phone, company, null as subject, message, created_at, done_at, done_by
      from lead_requests
    union all
    select id, 'support', name, email, null, null, subject, message, created_at, done_at, done_by
      from support_requests
  ) f`;
const COLUMNS = `f.id, f.kind, f.name, f.email, f.phone, f.company, f.subject, f.message, f.created_at, f.done_at,
  f.done_by as done_by_id, d.email as done_by_email, ${toNameOf('f.done_by')} as done_by_name`;
const DONE_BY = 'left join users d on d.id = f.done_by';

const CONTACT_REQUESTS: List = {
  name: 'contact-requests',
  from: KEYS,
  id: 'f.id',
  createdAt: 'f.created_at',
  filters: { kind: 'f.kind = ?', isDone: '(f.done_at is not null) = ?' },
  columns: COLUMNS,
  joins: `join ${FORMS} on f.id = page.id ${DONE_BY}`,
};

type ContactRequestRow = Omit<ContactRequest, 'doneBy'> & {
  doneById: string | null;
  doneByEmail: string | null;
  doneByName: string | null;
};

const toContactRequest = ({
  doneById,
  doneByEmail,
  doneByName,
  ...row
}: ContactRequestRow): ContactRequest => ({
  ...row,
  doneBy: toUserReference(doneById, doneByEmail, doneByName),
});

export const createContactList = (fetchPage: FetchPage) => ({
  list: async (query: ContactRequestQuery): Promise<Page<ContactRequest>> =>
    mapPage(await fetchPage<ContactRequestRow>(CONTACT_REQUESTS, query), toContactRequest),
});

export type ContactList = ReturnType<typeof createContactList>;

export const createContactStore = (database: Database) => ({
  add: async (kind: ContactRequestKind, form: ContactForm): Promise<void> => {
    await database(TABLES[kind]).insert(form);
  },

  find: async (id: string): Promise<ContactRequest | undefined> => {
    const { rows } = await database.raw<{ rows: ContactRequestRow[] }>(
      `select ${COLUMNS} from ${FORMS} ${DONE_BY} where f.id = ?`,
      [id],
    );
    return rows[0] && toContactRequest(rows[0]);
  },

  /**
   * False if the form does not exist or already is in this state. Of two concurrent calls, one returns true.
   * @param doneBy null marks the form as not done
   */
  setDone: async (id: string, doneBy: string | null): Promise<boolean> => {
    const doneAt = doneBy === null ? null : database.fn.now();
    for (const table of Object.values(TABLES)) {
      const form = database(table).where({ id });
      const other = doneBy === null ? form.whereNotNull('doneAt') : form.whereNull('doneAt');
      if ((await other.update({ doneAt, doneBy })) === 1) return true;
    }
    return false;
  },
});

export type ContactStore = ReturnType<typeof createContactStore>;
