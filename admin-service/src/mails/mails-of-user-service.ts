import type { PageQuery } from '../lists/lists.ts';
import type { UserStore } from '../users/users-store.ts';
import type { UserMail } from './mail.ts';
import type { UserMailList } from './mails-of-user-store.ts';
import type { MailService } from './mails-service.ts';

export type UserMailStores = { users: Pick<UserStore, 'requireKept'> };
export type UserMailLists = { userMails: UserMailList };

type Dependencies = {
  stores: UserMailStores;
  lists: UserMailLists;
  mails: Pick<MailService, 'listWaitingCodes' | 'readFailures'>;
};

type UserMailPage = { data: UserMail[]; total: number; page: number; perPage: number };

export const createMailsOfUserService = ({ stores, lists, mails }: Dependencies) => ({
  /** Newest first. What waits has its last failure, so that colleagues see why no mail came. @throws AppError 404 */
  list: async (id: string, query: PageQuery): Promise<UserMailPage> => {
    const { email } = await stores.users.requireKept(id);
    const codes = await mails.listWaitingCodes({ id, email });
    const { data, ...page } = await lists.userMails.list(id, codes, query);
    const waiting = data.filter(({ state, failure }) => state === 'waiting' && failure === null);
    const failures = await mails.readFailures(waiting.map((mail) => mail.id));
    return {
      data: data.map((mail) => ({ ...mail, failure: mail.failure ?? failures.get(mail.id) ?? null })),
      ...page,
    };
  },
});

export type MailsOfUserService = ReturnType<typeof createMailsOfUserService>;
