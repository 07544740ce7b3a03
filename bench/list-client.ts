import { Agent, request } from 'node:http';
import type { Market } from './bench-run.ts';
import { type ListQuery, pageAt, pathOfListQuery } from './list-cases.ts';
import { PLAN } from './plan.ts';
import { percentile } from './statistics.ts';

/** Enough for a p95 that one hiccup does not move; a slow query is repeated less often. */
const MAX_REPETITIONS = 200;
const MIN_REPETITIONS = 20;
const WARM_REPETITIONS = 3;

/** The teams' total stands elsewhere than the others'. */
type Counted = { total: number } | { meta: { total: number } };

export type ListTimes = { total: number; p50: number; p95: number };

/** Asks for lists over one kept connection, one after another. */
export const createListClient = ({ adminUrl, adminHeaders }: Market) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });

  const ask = async (path: string): Promise<{ total: number }> => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const outgoing = request(adminUrl + path, { agent, headers: adminHeaders }, (incoming) => {
      let body = '';
      incoming.setEncoding('utf8');
      incoming.on('data', (chunk: string) => {
        body += chunk;
      });
      incoming.on('end', () => {
        if (incoming.statusCode === 200) resolve(body);
        else reject(new Error(`${path}: ${incoming.statusCode} ${body}`));
      });
    });
    outgoing.on('error', reject);
    outgoing.end();
    const body = JSON.parse(await promise) as Counted;
    return 'meta' in body ? body.meta : body;
  };

  const repeat = async (path: string): Promise<number[]> => {
    for (let time = 0; time < WARM_REPETITIONS; time += 1) await ask(path);
    const times: number[] = [];
    const ends = performance.now() + PLAN.listBudgetMilliseconds;
    while (times.length < MIN_REPETITIONS || (times.length < MAX_REPETITIONS && performance.now() < ends)) {
      const started = performance.now();
      await ask(path);
      times.push(performance.now() - started);
    }
    return times;
  };

  return {
    measure: async (query: ListQuery): Promise<ListTimes> => {
      const { total } = await ask(pathOfListQuery(query, 1));
      const times = await repeat(pathOfListQuery(query, pageAt(total, query.depth)));
      return { total, p50: percentile(times, 0.5), p95: percentile(times, 0.95) };
    },
    close: () => agent.destroy(),
  };
};
