import { type Database, query } from '@platform/shared/db/database';
import { toReferenceTo } from '../lists/user-name-scripts.ts';
import { MAX_NOTES_PER_HOUR } from '../notes/note.ts';
import type {
  ContactRequestEntry,
  ContactRequestEvent,
  ContactRequestKind,
  EntryKind,
} from './contact-request.ts';

const FORM_ID = { lead: 'leadRequestId', support: 'supportRequestId' } as const;

const AUTHOR = `${toReferenceTo('author_id')} as author`;

/** Deletion of a form deletes its entries. */
const LIST = `
  select kind, id, text, created_at, ${AUTHOR} from contact_entries
  where lead_request_id = $1 or support_request_id = $1 order by created_at desc, id desc`;

const HISTORY = `
  select created_at as at,
    case action when 'CONTACT_REQUEST_ASSIGNED' then 'assigned' when 'CONTACT_REQUEST_DONE' then 'done' else 'reopened' end
      as action,
    ${toReferenceTo('actor_id')} as by
  from audit_records
  where target_id = $1 and action in ('CONTACT_REQUEST_ASSIGNED', 'CONTACT_REQUEST_DONE', 'CONTACT_REQUEST_REOPENED')
  order by created_at desc, id desc limit 50`;

const SECONDS_UNTIL_REPLY = `
  select ceil(extract(epoch from created_at + interval '1 hour' - now()))::int as seconds from contact_entries
  where author_id = $1 and kind = 'reply' and created_at > now() - interval '1 hour'
  order by created_at desc offset $2 limit 1`;

const SECONDS_UNTIL_NOTE = `
  select ceil(extract(epoch from created_at + interval '1 hour' - now()))::int as seconds from contact_entries
  where (lead_request_id = $1 or support_request_id = $1) and kind = 'note' and created_at > now() - interval '1 hour'
  order by created_at desc offset $2 limit 1`;

type NewEntry = {
  id?: string | undefined;
  kind: EntryKind;
  form: { id: string; kind: ContactRequestKind };
  authorId: string;
  text: string;
};

export const createContactEntryStore = (database: Database) => ({
  /** Newest first. */
  listByForm: async (formId: string): Promise<Record<'notes' | 'replies', ContactRequestEntry[]>> => {
    const statement = { name: 'list-contact-entries', text: LIST, values: [formId] };
    const rows = await query<ContactRequestEntry & { kind: EntryKind }>(database, statement);
    const entries = Map.groupBy(rows, ({ kind }) => kind);
    const of = (kind: EntryKind) => (entries.get(kind) ?? []).map(({ kind: _kind, ...entry }) => entry);
    return { notes: of('note'), replies: of('reply') };
  },

  /** The newest fifty. They are in the audit log, whose records outlive the form. */
  listHistory: (formId: string): Promise<ContactRequestEvent[]> =>
    query(database, { name: 'contact-history', text: HISTORY, values: [formId] }),

  /** The caller keeps the form. @returns undefined if the id is taken */
  add: async ({ form, ...entry }: NewEntry): Promise<ContactRequestEntry | undefined> => {
    const [added] = await database('contact_entries')
      .insert({ ...entry, [FORM_ID[form.kind]]: form.id })
      .onConflict('id')
      .ignore()
      .returning(['id', 'text', 'createdAt', database.raw(AUTHOR)]);
    return added;
  },

  /** The seconds until a note may be added to the form; 0 if one may be added now. The caller locks the form. */
  secondsUntilNote: async (formId: string): Promise<number> => {
    const values = [formId, MAX_NOTES_PER_HOUR - 1];
    const statement = { name: 'seconds-until-form-note', text: SECONDS_UNTIL_NOTE, values };
    return (await query<{ seconds: number }>(database, statement))[0]?.seconds ?? 0;
  },

  /** The seconds until the user has sent fewer than this number of replies within an hour; 0 if there are fewer now. */
  secondsUntilReply: async (authorId: string, limit: number): Promise<number> => {
    const statement = {
      name: 'seconds-until-reply',
      text: SECONDS_UNTIL_REPLY,
      values: [authorId, limit - 1],
    };
    return (await query<{ seconds: number }>(database, statement))[0]?.seconds ?? 0;
  },
});

export type ContactEntryStore = ReturnType<typeof createContactEntryStore>;
