import { Agent, request } from 'node:http';
import type { SeededServers } from './bench-run.ts';
import { type ListCase, toPath } from './list-cases.ts';

/** The total of teams has another place than those of the other lists. */
type ListBody = { total: number } | { meta: { total: number } };

/** Reads pages of lists over HTTP, one after the other over one connection. */
export const createListReader = ({ adminUrl, adminHeaders: headers }: SeededServers) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const fetchText = (url: string): Promise<string> => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const outgoing = request(url, { agent, headers }, (incoming) => {
      let body = '';
      incoming.setEncoding('utf8');
      incoming.on('data', (chunk: string) => {
        body += chunk;
      });
      incoming.on('end', () => {
        if (incoming.statusCode === 200) resolve(body);
        else reject(new Error(`${incoming.statusCode} ${body.slice(0, 200)}`));
      });
    });
    outgoing.on('error', reject);
    outgoing.end();
    return promise;
  };
  return {
    /** @returns the total. @throws Error unless the status is 200 */
    read: async (listCase: ListCase, page: number): Promise<number> => {
      const body = JSON.parse(await fetchText(adminUrl + toPath(listCase, page))) as ListBody;
      return 'meta' in body ? body.meta.total : body.total;
    },
    close: () => agent.destroy(),
  };
};

export type ListReader = ReturnType<typeof createListReader>;
