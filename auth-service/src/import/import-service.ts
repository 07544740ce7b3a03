import type { RequestContext } from '@platform/shared/http/request-context';
import type { AuditLog } from '@platform/shared/platform/audit/audit-log';
import { toNewAccountAudit } from '../accounts/account-audit.ts';
import type { InTransaction } from '../infrastructure.ts';
import {
  type ImportedUser,
  isOfKind,
  type Line,
  type LineWithReason,
  mayBeOfStranger,
  type ParseLine,
  type StoredUser,
} from './import.ts';
import type { ImportFile } from './import-file-adapter.ts';
import type { ImportStore } from './import-store.ts';

/** The number of lines per transaction. */
const BATCH_SIZE = 1_000;
const LINES_PER_REPORT = 10_000;
const UNVERIFIED = 'the address of the account is unverified: somebody else may have signed up with it';

type Candidate = Line & { user: ImportedUser };

type Dependencies = {
  stores: { imports: ImportStore };
  inTransaction: InTransaction<{ imports: ImportStore; audit: AuditLog }>;
  parse: ParseLine;
  file: ImportFile;
  context: RequestContext;
  /** Reports the progress. */
  report: (progress: string) => void;
};

const toEmails = (candidates: readonly Candidate[]): string[] => candidates.map(({ user }) => user.email);

/** `stored`: the users who already have one of the e-mails. */
const compareWithStored = (candidates: readonly Candidate[], stored: ReadonlyMap<string, StoredUser>) => {
  const found = candidates.flatMap((line) => {
    const user = stored.get(line.user.email);
    return user ? [{ line, user }] : [];
  });
  const known = found.filter(({ line, user }) => isOfKind(line.user, user));
  return {
    known: known.length,
    rejections: found
      .filter(({ line, user }) => !isOfKind(line.user, user))
      .map(({ line }) => ({ ...line, reason: `email belongs to a user who is not a ${line.user.kind}` })),
    unverified: known
      .filter(({ line, user }) => mayBeOfStranger(line.user, user))
      .map(({ line }) => ({ ...line, reason: UNVERIFIED })),
  };
};

/**
 * One instance per run. The file is read twice, so that nothing is written before all lines are validated.
 */
export const createImportService = (dependencies: Dependencies) => {
  const { stores, inTransaction, parse, file, context, report } = dependencies;
  /** The lines that were read so far: each is counted once. */
  const counts = { new: 0, known: 0, rejected: 0 };
  /** The numbers of the lines. */
  const rejected = new Set<number>();
  const unverified = new Set<number>();

  const reject = async (rejections: readonly LineWithReason[]): Promise<void> => {
    await file.rejected.add(rejections);
    for (const { number } of rejections) rejected.add(number);
  };

  const addUnverified = async (lines: readonly LineWithReason[]): Promise<void> => {
    await file.unverified.add(lines.filter(({ number }) => !unverified.has(number)));
    for (const { number } of lines) unverified.add(number);
  };

  /** Rejects lines that are invalid by themselves, and returns the others. */
  const parseLines = async (lines: readonly Line[]): Promise<Candidate[]> => {
    const parsed = lines.map((line) => ({ ...line, ...parse(line.text) }));
    await reject(parsed.filter((line) => 'reason' in line));
    return parsed.filter((line) => 'user' in line);
  };

  /** Calls `work` with the lines that were not rejected. It returns the number of known ones. */
  const forEachBatch = async (verb: string, work: (candidates: Candidate[]) => Promise<number>) => {
    Object.assign(counts, { new: 0, known: 0, rejected: 0 });
    let lines = 0;
    const reportLines = () =>
      report(`${verb} ${lines} lines: ${counts.new} new, ${counts.known} known, ${counts.rejected} rejected`);
    for await (const batch of file.readBatches(BATCH_SIZE)) {
      const known = await work(await parseLines(batch.filter(({ number }) => !rejected.has(number))));
      const rejections = batch.filter(({ number }) => rejected.has(number)).length;
      lines += batch.length;
      counts.known += known;
      counts.rejected += rejections;
      counts.new += batch.length - known - rejections;
      if (lines % LINES_PER_REPORT === 0) reportLines();
    }
    if (lines % LINES_PER_REPORT !== 0) reportLines();
  };

  /** Known e-mails are skipped, so that a failed run can be repeated. */
  const writeBatch = (candidates: readonly Candidate[]) =>
    inTransaction(async ({ imports, audit }) => {
      const created = await imports.insert(candidates.map(({ user }) => user));
      await audit.addAll(created.map((user) => toNewAccountAudit('ACCOUNT_IMPORTED', user, context, user)));
      const createdEmails = new Set(created.map(({ email }) => email));
      const others = candidates.filter(({ user }) => !createdEmails.has(user.email));
      // Compares again, because somebody may have signed up since the validation.
      return compareWithStored(others, await imports.findStored(toEmails(others)));
    });

  return {
    counts,
    /** The number of lines in the file of unverified ones. */
    countUnverified: () => unverified.size,

    /** Checks all lines without writing accounts. Only the first valid line of an e-mail counts as new. */
    validate: async (): Promise<void> => {
      // About 100 bytes per line: a Set of a million takes 0.1 GB.
      const seen = new Set<string>();
      await forEachBatch('Validated', async (candidates) => {
        const first: Candidate[] = [];
        const repeated: LineWithReason[] = [];
        for (const line of candidates) {
          if (seen.has(line.user.email)) repeated.push({ ...line, reason: 'email is in an earlier line' });
          else first.push(line);
          seen.add(line.user.email);
        }
        const compared = compareWithStored(first, await stores.imports.findStored(toEmails(first)));
        await reject([...repeated, ...compared.rejections]);
        await addUnverified(compared.unverified);
        return compared.known;
      });
    },

    /** Creates the accounts of the lines that `validate` did not reject. */
    write: async (): Promise<void> => {
      await forEachBatch('Processed', async (candidates) => {
        const compared = await writeBatch(candidates);
        await reject(compared.rejections);
        await addUnverified(compared.unverified);
        return compared.known;
      });
      await stores.imports.analyze();
    },
  };
};
