import type { ByService } from '@platform/shared/platform/access/by';
import { userNotFound } from '@platform/shared/platform/accounts/account';
import type { MailOutbox } from '@platform/shared/platform/mail/mail-outbox';
import type { Creation } from '../creations/creation.ts';
import type { CreationStore } from '../creations/creations-store.ts';
import type { InTransactionBy } from '../infrastructure.ts';
import {
  type LinkTargets,
  type NewServiceMail,
  recipientUnverified,
  type ServiceMail,
  toLinkUrl,
  tooManyMails,
} from './service-mail.ts';
import type { ServiceMailStore } from './service-mails-store.ts';

export type ServiceMailStores = {
  creations: CreationStore;
  serviceMails: ServiceMailStore;
  outbox: MailOutbox;
};

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
    { creations, serviceMails, outbox }: ServiceMailStores,
    serviceMailId: string,
    mail: NewServiceMail,
    { service, context }: ByService,
  ): Promise<Creation<ServiceMail>> => {
    const { userId, ...message } = mail;
    const recipient = await serviceMails.lockRecipient(userId);
    if (!recipient) throw userNotFound();
    const isNew = await creations.once('mail', { service, serviceMailId }, mail, async (digest) => {
      if (!recipient.isEmailVerified) throw recipientUnverified();
      const seconds = await serviceMails.secondsUntilNext(service, userId);
      if (seconds > 0) throw tooManyMails(seconds);
      const id = await outbox.addServiceMessage(
        { template: 'service-message', service, ...message },
        context.requestId,
        userId,
      );
      await serviceMails.insert({ id, service, serviceMailId, userId, digest });
    });
    return { created: await serviceMails.get(service, serviceMailId), isNew };
  };

  return {
    /**
     * Mails a user. A repeated request returns the mail of the first one, even if the address has changed
     * since.
     * @throws AppError 400 link-origin, 404 USER_NOT_FOUND, 409 MAIL_EXISTS, 403 EMAIL_NOT_VERIFIED, 429
     * RATE_LIMITED
     */
    putMail: async (id: string, mail: NewServiceMail, by: ByService): Promise<ServiceMail> => {
      const safe = withSafeLink(mail, linkTargets);
      const { created, isNew } = await inTransaction(by, (stores) => create(stores, id, safe, by));
      if (isNew) countAccepted({ caller: by.service });
      return created;
    },
  };
};

export type ServiceMailService = ReturnType<typeof createServiceMailService>;
