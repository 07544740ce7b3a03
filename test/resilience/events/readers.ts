import { setTimeout as delay } from 'node:timers/promises';
import { createHttpClient } from '@platform/shared/testing/http-client';
import { basicAuth, SERVICE } from '@platform/shared/testing/service-client';

type Event = { id: string; type: string; subject: string };

const RETRY_MILLISECONDS = 200;
/** The share of pages that a reader requests again, because it crashed before it had stored them. */
const LOST_PAGES = 0.1;

/**
 * Reads until it is stopped, as another service does: it stores `next` together with the events of the page.
 */
export const startReader = (urls: () => readonly string[], limit: number, types: readonly string[] = []) => {
  const headers = { Authorization: basicAuth(SERVICE.name, SERVICE.secret) };
  const events: Event[] = [];
  const refused = new Map<number, number>();
  let next: string | undefined;
  let isStopped = false;

  const readPage = async (turn: number): Promise<void> => {
    const all = urls();
    const client = createHttpClient(all[turn % all.length] ?? '', { timeoutSeconds: 15 });
    const query = new URLSearchParams({ limit: String(limit), wait: '3', ...(next && { after: next }) });
    for (const type of types) query.append('type', type);
    const response = await client.send({ path: `/internal/v1/events?${query}`, headers });
    if (response.status !== 200) {
      refused.set(response.status, (refused.get(response.status) ?? 0) + 1);
      await delay(RETRY_MILLISECONDS);
    } else if (Math.random() >= LOST_PAGES) {
      events.push(...response.body.data);
      next = response.body.next;
    }
  };
  const running = (async () => {
    for (let turn = 0; !isStopped; turn += 1) await readPage(turn);
  })();
  return {
    events,
    /** The types that it asks for; all if there are none. */
    types,
    /** Responses other than 200 by status. 0 counts connection errors. */
    refused,
    stop: async () => {
      isStopped = true;
      await running;
    },
  };
};

export type Reader = ReturnType<typeof startReader>;
