import type { Draft } from './draft.ts';
import type { FuzzOutcome } from './send.ts';

/** Counts what was asked and answered. */
export const createTally = () => {
  const byOperation = new Map<string, Map<string, number>>();
  const byMutation = new Map<string, Map<string, number>>();
  const add = (counts: Map<string, Map<string, number>>, key: string, ending: string): void => {
    const inner = counts.get(key) ?? new Map<string, number>();
    inner.set(ending, (inner.get(ending) ?? 0) + 1);
    counts.set(key, inner);
  };
  const rows = (counts: Map<string, Map<string, number>>) =>
    [...counts]
      .sort(([one], [other]) => one.localeCompare(other))
      .map(([name, endings]) => {
        const sorted = [...endings].sort(([one], [other]) => one.localeCompare(other));
        const total = sorted.reduce((sum, [, count]) => sum + count, 0);
        return [name, total, sorted.map(([ending, count]) => `${count} × ${ending}`).join(', ')];
      });
  const endingOf = (outcome: FuzzOutcome): string =>
    'failure' in outcome ? 'no answer' : String(outcome.status);
  return {
    noteRaw: (outcome: FuzzOutcome): void => add(byOperation, '(not HTTP)', endingOf(outcome)),
    note: ({ operation, mutations }: Draft, outcome: FuzzOutcome): void => {
      const ending = endingOf(outcome);
      add(byOperation, operation.id, ending);
      for (const mutation of mutations.length > 0 ? mutations : ['none']) add(byMutation, mutation, ending);
    },
    operations: () => rows(byOperation),
    mutations: () => rows(byMutation),
    hasSuccess: (id: string): boolean =>
      [...(byOperation.get(id)?.keys() ?? [])].some((ending) => ending.startsWith('2')),
    has: (id: string): boolean => byOperation.has(id),
  };
};

export type Tally = ReturnType<typeof createTally>;
