import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { createHttpClient, formatStatus, type HttpResponse } from '@platform/shared/testing/http-client';
import type { Records } from '@platform/shared/testing/records';
import { basicAuth, SERVICE } from '@platform/shared/testing/service-client';

const HEADERS = { Authorization: basicAuth(SERVICE.name, SERVICE.secret) };
const USERS = 60;
/** Below the limit of mails to a user. */
const MAILS_PER_USER = 18;
const WRITERS = 4;
const PAUSE_MILLISECONDS = 50;
const RETRY_MILLISECONDS = 300;

type SentMail = { id: string; userId: string };

/**
 * Starts writers that create a mail at both instances at once, and repeat it until both have acknowledged it,
 * as a service does that has stored the id. The subject is the id.
 */
export const startMailWriters = async (records: Records, adminUrls: () => readonly string[]) => {
  const users = await Promise.all(
    Array.from({ length: USERS }, () => records.user(['CUSTOMER'], { isEmailVerified: true })),
  );
  const mails: SentMail[] = [];
  const unexpected: string[] = [];
  let isStopped = false;

  const put = async (url: string, { id, userId }: SentMail): Promise<HttpResponse> => {
    const client = createHttpClient(url, { timeoutSeconds: 15 });
    const body = { userId, subject: id, text: `Mail ${id}` };
    return await client.send({ method: 'PUT', path: `/internal/v1/mails/${id}`, headers: HEADERS, body });
  };
  const putUntilAccepted = async (url: string, mail: SentMail): Promise<string> => {
    for (;;) {
      const response = await put(url, mail);
      if (response.status === 202) return response.body.state;
      if (![0, 503].includes(response.status)) {
        unexpected.push(`${mail.id}: ${formatStatus(response)}`);
        return 'unexpected';
      }
      await delay(RETRY_MILLISECONDS);
    }
  };
  const create = async (): Promise<void> => {
    const user = users[mails.length % users.length];
    if (!user || mails.length >= USERS * MAILS_PER_USER) return;
    const mail = { id: randomUUID(), userId: user.id };
    mails.push(mail);
    await Promise.all(adminUrls().map((url) => putUntilAccepted(url, mail)));
  };
  const write = async (): Promise<void> => {
    while (!isStopped) {
      await create();
      await delay(PAUSE_MILLISECONDS);
    }
  };
  const running = Promise.all(Array.from({ length: WRITERS }, write));
  return {
    unexpected,
    /** Resolves with all mails when both instances have acknowledged the last ones. */
    stop: async (): Promise<readonly SentMail[]> => {
      isStopped = true;
      await running;
      return mails;
    },
    /** Creates the mails again, and returns their states. */
    repeat: async (again: readonly SentMail[]): Promise<string[]> => {
      const states: string[] = [];
      const [url = ''] = adminUrls();
      for (const mail of again) states.push(await putUntilAccepted(url, mail));
      return states;
    },
  };
};
