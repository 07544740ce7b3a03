import type { Metrics } from '@platform/shared/metrics/metrics';
import { type ByAdministrator, type ByAnybody, toAuditRecord } from '@platform/shared/platform/access/by';
import { userNotFound } from '@platform/shared/platform/accounts/account';
import type { AuditLog } from '@platform/shared/platform/audit/audit-log';
import type { ContactForm } from '@platform/shared/platform/mail/mail';
import type { MailOutbox } from '@platform/shared/platform/mail/mail-outbox';
import type { AsAdministrator, InTransactionBy } from '../infrastructure.ts';
import type { Page } from '../lists/lists.ts';
import { findDetail, lockDetail, requireUnchanged } from './contact-detail-service.ts';
import type { ContactEntryStore } from './contact-entries-store.ts';
import {
  type ContactRequest,
  type ContactRequestChange,
  type ContactRequestDetail,
  type ContactRequestKind,
  type ContactRequestQuery,
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

/** One more record tells who has finished the form, or opened it again. */
export const setDone = async (
  own: Pick<ContactStores, 'contact' | 'audit'>,
  id: string,
  isDone: boolean,
  by: ByAdministrator,
): Promise<void> => {
  if (!(await own.contact.setDone(id, isDone ? by.administrator.userId : null))) return;
  const action = isDone ? 'CONTACT_REQUEST_DONE' : 'CONTACT_REQUEST_REOPENED';
  await own.audit.add(toAuditRecord(by, action, toContactTarget(id)));
};

export const createContactService = (dependencies: ContactDependencies) => {
  const { config, stores, lists, inTransaction, asAdministrator } = dependencies;

  const assign = async (own: ContactStores, id: string, userId: string | null, by: ByAdministrator) => {
    if (await own.contact.assign(id, userId))
      await own.audit.add(toAuditRecord(by, 'CONTACT_REQUEST_ASSIGNED', toContactTarget(id), { userId }));
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
     * @param ifMatch the header If-Match
     * @throws AppError 404, 412
     */
    edit: (
      id: string,
      { isDone, assigneeId }: ContactRequestChange,
      ifMatch: string | undefined,
      by: ByAdministrator,
    ): Promise<ContactRequestDetail> =>
      asAdministrator(
        by,
        async (own, { user }) => {
          const form = await lockDetail(own, id);
          if (assigneeId && !user?.roles.includes('ADMIN')) throw userNotFound();
          requireUnchanged(form, ifMatch);
          if (assigneeId !== undefined) await assign(own, id, user?.id ?? null, by);
          if (isDone !== undefined) await setDone(own, id, isDone, by);
          return await findDetail(own, id);
        },
        assigneeId ?? undefined,
      ),
  };
};

export type ContactService = ReturnType<typeof createContactService>;
