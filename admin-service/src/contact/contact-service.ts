import type { Metrics } from '@platform/shared/metrics/metrics';
import { type ByAdministrator, type ByAnybody, toAuditRecord } from '@platform/shared/platform/access/by';
import { userNotFound } from '@platform/shared/platform/accounts/account';
import type { AuditAction, AuditLog } from '@platform/shared/platform/audit/audit-log';
import type { ContactForm } from '@platform/shared/platform/mail/mail';
import type { MailOutbox } from '@platform/shared/platform/mail/mail-outbox';
import type { AsAdministrator, InTransactionBy } from '../infrastructure.ts';
import type { Page } from '../lists/lists.ts';
import type { ContactEntryStore } from './contact-entries-store.ts';
import {
  type ContactRequest,
  type ContactRequestChange,
  type ContactRequestDetail,
  type ContactRequestKind,
  type ContactRequestQuery,
  contactRequestNotFound,
  toContactTarget,
} from './contact-request.ts';
import type { ContactList, ContactStore } from './contact-store.ts';

export type ContactStores = {
  contact: ContactStore;
  contactEntries: ContactEntryStore;
  outbox: MailOutbox;
  audit: AuditLog;
};

export type ContactDependencies = {
  config: { contactInbox: string };
  stores: Pick<ContactStores, 'contact' | 'contactEntries'>;
  lists: { contact: ContactList };
  inTransaction: InTransactionBy<ContactStores>;
  asAdministrator: AsAdministrator<ContactStores>;
  metrics: Pick<Metrics, 'counter'>;
};

type Found = Pick<ContactStores, 'contact' | 'contactEntries'>;

/** @throws AppError 404 */
const findDetail = async ({ contact, contactEntries }: Found, id: string): Promise<ContactRequestDetail> => {
  const form = await contact.find(id);
  if (!form) throw contactRequestNotFound();
  return { ...form, ...(await contactEntries.listByForm(id)) };
};

export const createContactService = (dependencies: ContactDependencies) => {
  const { config, stores, lists, inTransaction, asAdministrator } = dependencies;

  const record = (own: ContactStores, by: ByAdministrator, action: AuditAction, id: string, details = {}) =>
    own.audit.add(toAuditRecord(by, action, toContactTarget(id), details));

  const setDone = async (own: ContactStores, id: string, isDone: boolean, by: ByAdministrator) => {
    if (!(await own.contact.setDone(id, isDone ? by.administrator.userId : null))) return;
    await record(own, by, isDone ? 'CONTACT_REQUEST_DONE' : 'CONTACT_REQUEST_REOPENED', id);
  };

  const assign = async (own: ContactStores, id: string, userId: string | null, by: ByAdministrator) => {
    if (await own.contact.assign(id, userId))
      await record(own, by, 'CONTACT_REQUEST_ASSIGNED', id, { userId });
  };

  return {
    /** Newest first. */
    list: (query: ContactRequestQuery): Promise<Page<ContactRequest>> => lists.contact.list(query),

    /** @throws AppError 404 */
    find: (id: string): Promise<ContactRequestDetail> => findDetail(stores, id),

    /** One transaction stores the form and adds its mail to the outbox. */
    submit: (kind: ContactRequestKind, request: ContactForm, by: ByAnybody): Promise<void> =>
      inTransaction(by, async ({ contact, outbox }) => {
        await contact.add(kind, request);
        const mail = { template: `${kind}-request`, to: config.contactInbox, request } as const;
        await outbox.add(mail, by.context.requestId, null);
      }),

    /**
     * Changes nothing that already is as requested. The lock on the new assignee keeps a form from being
     * assigned to somebody who is losing the role.
     * @throws AppError 404
     */
    edit: (
      id: string,
      { isDone, assigneeId }: ContactRequestChange,
      by: ByAdministrator,
    ): Promise<ContactRequestDetail> =>
      asAdministrator(
        by,
        async (own, { user }) => {
          if (!(await own.contact.find(id))) throw contactRequestNotFound();
          if (assigneeId && !user?.roles.includes('ADMIN')) throw userNotFound();
          if (assigneeId !== undefined) await assign(own, id, user?.id ?? null, by);
          if (isDone !== undefined) await setDone(own, id, isDone, by);
          return await findDetail(own, id);
        },
        assigneeId ?? undefined,
      ),
  };
};

export type ContactService = ReturnType<typeof createContactService>;
