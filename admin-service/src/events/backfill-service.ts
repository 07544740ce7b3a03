import type { InTransaction } from '../infrastructure.ts';
import { mergeByCreation, SUBJECT_KINDS, type Subject, type SubjectKind } from './backfill.ts';
import type { BackfillStore } from './backfill-store.ts';

const PAGE_SIZE = 1_000;
/** A transaction locks its subjects, so that their changes wait for it: for about 10 ms. */
const BATCH_SIZE = 200;
const EVENTS_PER_REPORT = 10_000;

type Dependencies = {
  stores: { backfill: BackfillStore };
  inTransaction: InTransaction<{ backfill: BackfillStore }>;
  /** Reports the progress. */
  report: (progress: string) => void;
};

export const createBackfillService = ({ stores, inTransaction, report }: Dependencies) => {
  const readSubjects = async function* (kind: SubjectKind): AsyncGenerator<Subject, void> {
    let page: Subject[] = [];
    do {
      page = await stores.backfill.findPage(kind, page.at(-1), PAGE_SIZE);
      yield* page;
    } while (page.length === PAGE_SIZE);
  };

  const readBatches = async function* (): AsyncGenerator<Subject[], void> {
    let batch: Subject[] = [];
    for await (const subject of mergeByCreation(SUBJECT_KINDS.map(readSubjects))) {
      if (!subject.hasEvent) batch.push(subject);
      if (batch.length < BATCH_SIZE) continue;
      yield batch;
      batch = [];
    }
    if (batch.length > 0) yield batch;
  };

  return {
    /**
     * Adds the creation of each existing user, team and project that has no event of it, and the deletion of
     * deleted projects. Returns the number of added events by type. It can be interrupted and repeated.
     */
    run: async (): Promise<Map<string, number>> => {
      const counts = new Map<string, number>();
      let [added, reported] = [0, 0];
      for await (const subjects of readBatches()) {
        const types = await inTransaction(({ backfill }) => backfill.insert(subjects));
        for (const type of types) counts.set(type, (counts.get(type) ?? 0) + 1);
        added += types.length;
        if (added - reported < EVENTS_PER_REPORT) continue;
        reported = added;
        report(`Added ${added} events`);
      }
      return counts;
    },
  };
};
