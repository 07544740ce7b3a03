export const SUBJECT_KINDS = ['user', 'team', 'project'] as const;
export type SubjectKind = (typeof SUBJECT_KINDS)[number];

/** A user, team or project that exists. */
export type Subject = {
  kind: SubjectKind;
  id: string;
  createdAt: Date;
  /** `createdAt` with microseconds, which a Date lacks. */
  createdAtText: string;
  /** Whether the creation has an event that is kept. */
  hasEvent: boolean;
};

const LOCK_ORDER: readonly SubjectKind[] = ['team', 'user', 'project'];

/** The ids, teams first and each kind by id, as the deletion of an account locks them. */
export const toLockOrder = (subjects: readonly Subject[]): string[] =>
  LOCK_ORDER.flatMap((kind) =>
    subjects
      .filter((subject) => subject.kind === kind)
      .map(({ id }) => id)
      .sort(),
  );

/** Returns the index of the iterator whose next subject is the oldest; -1 if all have ended. */
const findOldest = (heads: readonly IteratorResult<Subject, void>[]): number =>
  heads.reduce((oldest, { done, value }, index) => {
    if (done) return oldest;
    const other = heads[oldest]?.value;
    return other && other.createdAt <= value.createdAt ? oldest : index;
  }, -1);

/** Merges iterators, each of which is in the order of creation. */
export const mergeByCreation = async function* (
  iterators: readonly AsyncIterator<Subject, void>[],
): AsyncGenerator<Subject, void> {
  const heads: IteratorResult<Subject, void>[] = [];
  for (const iterator of iterators) heads.push(await iterator.next());
  for (let oldest = findOldest(heads); oldest >= 0; oldest = findOldest(heads)) {
    const [head, iterator] = [heads[oldest], iterators[oldest]];
    if (!head || head.done || !iterator) return;
    yield head.value;
    heads[oldest] = await iterator.next();
  }
};
