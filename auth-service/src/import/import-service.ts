import type { RequestContext } from '@platform/shared/http/request-context';
import type { AuditLog } from '@platform/shared/platform/audit/audit-log';
import { toNewAccountAudit } from '../accounts/account-audit.ts';
import type { InTransaction } from '../infrastructure.ts';
import { type ImportedUser, isOfKind, type Line, type ParseLine, type Rejection } from './import.ts';
import type { ImportFile } from './import-file-adapter.ts';
import type { ImportStore } from './import-store.ts';

/** The number of lines per transaction. */
const BATCH_SIZE = 1_000;
const LINES_PER_REPORT = 10_000;

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

/** `roles`: the roles of the users who already have one of the e-mails. */
const compareWithStored = (candidates: readonly Candidate[], roles: ReadonlyMap<string, string[]>) => {
  const stored = candidates.filter(({ user }) => roles.has(user.email));
  const otherKinds = stored.filter(({ user }) => !isOfKind(user, roles.get(user.email) ?? []));
  const rejections = otherKinds.map((line) => ({
    ...line,
    reason: `email belongs to a user who is not a ${line.user.kind}`,
  }));
  return { known: stored.length - otherKinds.length, rejections };
};

/**
 * One instance per run. The file is read twice, so that nothing is written before all lines are validated.
 */
export const createImportService = (dependencies: Dependencies) => {
  const { stores, inTransaction, parse, file, context, report } = dependencies;
  const counts = { new: 0, known: 0, rejected: 0 };
  /** The numbers of the lines. */
  const rejected = new Set<number>();

  const reject = async (rejections: readonly Rejection[]): Promise<void> => {
    await file.addRejected(rejections);
    for (const { number } of rejections) rejected.add(number);
    counts.rejected = rejected.size;
  };

  /** Rejects lines that are invalid by themselves, and returns the others. */
  const parseLines = async (lines: readonly Line[]): Promise<Candidate[]> => {
    const parsed = lines.map((line) => ({ ...line, ...parse(line.text) }));
    await reject(parsed.filter((line) => 'reason' in line));
    return parsed.filter((line) => 'user' in line);
  };

  /** Calls `work` with the lines that were not rejected. */
  const forEachBatch = async (verb: string, work: (candidates: Candidate[]) => Promise<void>) => {
    Object.assign(counts, { new: 0, known: 0 });
    let lines = 0;
    const reportLines = () =>
      report(`${verb} ${lines} lines: ${counts.new} new, ${counts.known} known, ${counts.rejected} rejected`);
    for await (const batch of file.readBatches(BATCH_SIZE)) {
      await work(await parseLines(batch.filter(({ number }) => !rejected.has(number))));
      lines += batch.length;
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
      const compared = compareWithStored(others, await imports.findRoles(toEmails(others)));
      return { ...compared, created: created.length };
    });

  return {
    counts,

    /** If several lines have the same e-mail, the first valid one is new. Writes only rejections. */
    validate: async (): Promise<void> => {
      // About 100 bytes per line: a Set of a million takes 0.1 GB.
      const seen = new Set<string>();
      await forEachBatch('Validated', async (candidates) => {
        const first: Candidate[] = [];
        const repeated: Rejection[] = [];
        for (const line of candidates) {
          if (seen.has(line.user.email)) repeated.push({ ...line, reason: 'email is in an earlier line' });
          else first.push(line);
          seen.add(line.user.email);
        }
        const { known, rejections } = compareWithStored(
          first,
          await stores.imports.findRoles(toEmails(first)),
        );
        await reject([...repeated, ...rejections]);
        counts.known += known;
        counts.new += first.length - known - rejections.length;
      });
    },

    /** Creates the accounts of the lines that `validate` did not reject. */
    write: () =>
      forEachBatch('Imported', async (candidates) => {
        const { created, known, rejections } = await writeBatch(candidates);
        await reject(rejections);
        counts.known += known;
        counts.new += created;
      }),
  };
};
