import { type Database, query } from './database.ts';

/**
 * The keys of all advisory locks in the database, because two purposes with one key would wait for each
 * other. Only the subjects of events are not here, which LOCK_SUBJECT locks by a hash of 64 bits.
 */
export const ADVISORY_LOCKS = {
  /** Serializes `npm run migrate`. */
  migrations: 7_310_542,
  /** Serializes changes of who is ADMIN, including the first registration. */
  administrators: 7_310_543,
  /** Serializes the numbering of events. */
  eventPositions: 7_310_544,
  /** Serializes invitations, so that a replaced one is found. */
  invitations: 7_310_545,
} as const;

/** Waits for the lock, and holds it until the transaction ends. */
export const lockUntilCommit = async (
  transaction: Database,
  lock: keyof typeof ADVISORY_LOCKS,
): Promise<void> => {
  await query(transaction, {
    name: 'advisory-lock',
    text: 'select pg_advisory_xact_lock($1)',
    values: [ADVISORY_LOCKS[lock]],
  });
};

/**
 * Locks the `subject` of an event, the id of a user, project or team in lower case, until the transaction
 * ends, so that the events of a subject are in the order of the commits.
 */
export const LOCK_SUBJECT = 'pg_advisory_xact_lock(hashtextextended(subject, 0))';

/** The creation of a project or team begins with this lock. */
export const lockSubject = async (transaction: Database, subject: string): Promise<void> => {
  const text = `select ${LOCK_SUBJECT} from cast($1 as text) subject`;
  await query(transaction, { name: 'lock-subject', text, values: [subject] });
};
