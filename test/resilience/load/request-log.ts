import type { Answer, Call, HttpClient, Outcome } from './http-client.ts';

/** One request of the load, as it ended. Times are milliseconds since the epoch. */
export type Sample = {
  operation: string;
  startedAt: number;
  endedAt: number;
  isSuccess: boolean;
  /** `200`, `503 SERVICE_UNAVAILABLE`, `refused`, … */
  ending: string;
  outcome: Outcome;
};

const describe = (outcome: Outcome): string =>
  outcome.kind === 'failure' ? outcome.cause : [outcome.status, outcome.code].filter(Boolean).join(' ');

/** Sends the requests of the load and writes down how each ended. */
export const createJournal = (client: HttpClient) => {
  const samples: Sample[] = [];

  return {
    samples,
    /** The answer if it is the one expected. Any other ending leaves open whether the request was carried out. */
    send: async (operation: string, call: Call, expected: number): Promise<Answer | undefined> => {
      const startedAt = Date.now();
      const outcome = await client.send(call);
      const isSuccess = outcome.kind === 'answer' && outcome.status === expected;
      samples.push({
        operation,
        startedAt,
        endedAt: Date.now(),
        isSuccess,
        ending: describe(outcome),
        outcome,
      });
      return isSuccess ? outcome : undefined;
    },
  };
};

export type Journal = ReturnType<typeof createJournal>;

/** How often each ending came, the most frequent first: `12 × 502 UPSTREAM_UNAVAILABLE, 3 × reset`. */
export const countEndings = (samples: readonly Sample[]): string => {
  const counts = new Map<string, number>();
  for (const { ending } of samples) counts.set(ending, (counts.get(ending) ?? 0) + 1);
  const sorted = [...counts].sort(([, one], [, other]) => other - one);
  return sorted.map(([ending, count]) => `${count} × ${ending}`).join(', ') || '–';
};

/** An answer that no outage explains: a fault of ours, or a refusal of what was in order. */
export const isWrong = ({ isSuccess, outcome }: Sample): boolean =>
  !isSuccess && outcome.kind === 'answer' && ![502, 503, 504].includes(outcome.status);
