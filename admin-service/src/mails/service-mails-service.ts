import type { ByService } from '@platform/shared/platform/access/by';
import { userNotFound } from '@platform/shared/platform/accounts/account';
import type { MailOutbox } from '@platform/shared/platform/mail/mail-outbox';
import type { InTransactionBy } from '../infrastructure.ts';
import { type Creation, toCreationDigest } from '../projects/creation.ts';
import {
  type LinkTargets,
  mailExists,
  type NewServiceMail,
  recipientUnverified,
  type StoredServiceMail,
  toLinkUrl,
  tooManyMails,
} from './service-mail.ts';
import type { ServiceMailStore } from './service-mails-store.ts';

export type ServiceMailStores = { serviceMails: ServiceMailStore; outbox: MailOutbox };

type Dependencies = {
  inTransaction: InTransactionBy<ServiceMailStores>;
  linkTargets: LinkTargets;
  countAccepted: (labels: { caller: string }) => void;
};

const withSafeLink = (mail: NewServiceMail, targets: LinkTargets): NewServiceMail =>
  mail.action === null
    ? mail
    : { ...mail, action: { label: mail.action.label, url: toLinkUrl(mail.action.url, targets) } };

export const createServiceMailService = ({ inTransaction, linkTargets, countAccepted }: Dependencies) => {
  const create = async (
    { serviceMails, outbox }: ServiceMailStores,
    serviceMailId: string,
    mail: NewServiceMail,
    { service, context }: ByService,
  ): Promise<Creation<StoredServiceMail>> => {
    const { userId, ...message } = mail;
    const recipient = await serviceMails.lockRecipient(userId);
    if (!recipient) throw userNotFound();
    const digest = toCreationDigest(mail);
    const existing = await serviceMails.find(service, serviceMailId);
    if (existing && !existing.digest.equals(digest)) throw mailExists();
    if (existing) return { created: existing, isNew: false };
    if (!recipient.isEmailVerified) throw recipientUnverified();
    const seconds = await serviceMails.secondsUntilNext(service, userId);
    if (seconds > 0) throw tooManyMails(seconds);
    const id = await outbox.addServiceMessage(
      { template: 'service-message', service, ...message },
      context.requestId,
      userId,
    );
    await serviceMails.insert({ id, service, serviceMailId, userId, digest });
    const created = await serviceMails.find(service, serviceMailId);
    if (!created) throw new Error('The new mail was not found');
    return { created, isNew: true };
  };

  return {
    /**
     * Mails a user. A repeated request returns the mail of the first one, even if the address has changed
     * since.
     * @throws AppError 400 link-origin, 404 USER_NOT_FOUND, 409 MAIL_EXISTS, 403 EMAIL_NOT_VERIFIED, 429
     * RATE_LIMITED
     */
    putMail: async (id: string, mail: NewServiceMail, by: ByService): Promise<StoredServiceMail> => {
      const safe = withSafeLink(mail, linkTargets);
      const { created, isNew } = await inTransaction(by, (stores) => create(stores, id, safe, by));
      if (isNew) countAccepted({ caller: by.service });
      return created;
    },
  };
};

export type ServiceMailService = ReturnType<typeof createServiceMailService>;
