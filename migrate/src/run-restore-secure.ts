import { readFile } from 'node:fs/promises';
import { text as readText } from 'node:stream/consumers';
import { findDatabaseUrl, runCli } from '@platform/shared/config/cli';
import { ConfigError } from '@platform/shared/config/env';
import { type RecordedChange, readRecordedChanges } from './restore/recorded-changes.ts';
import { type SecureResult, secureRestoredDatabase } from './restore/secure-restored-database.ts';

// `npm run restore:secure`: after a restore, before any process starts. In this workspace, because only the image of the
// migrations has the login of the database owner, and no process may do all of this.

const USAGE =
  'Usage: npm run restore:secure -- <file with log lines | - for standard input | --without-changes>';

/** @throws ConfigError without a source: forgetting it would let blocked users in */
const readChanges = async (source: string | undefined): Promise<RecordedChange[]> => {
  if (source === '--without-changes') return [];
  if (source === undefined || (source.startsWith('-') && source !== '-')) throw new ConfigError(USAGE);
  return readRecordedChanges(source === '-' ? await readText(process.stdin) : await readFile(source, 'utf8'));
};

const listLines = (title: string, items: readonly string[]): string[] =>
  items.length === 0 ? [] : [title, ...items.map((item) => `  ${item}`)];

const formatResult = (result: SecureResult): string => {
  const { repeated, known, ofUnknownUsers, withoutPassword, blocked, platformRoles } = result;
  return [
    `Sessions ended: ${result.endedSessions}`,
    ...listLines(
      'Repeated changes:',
      Object.entries(repeated).map(([action, count]) => `${action} ${count}`),
    ),
    `Not repeated: ${known} that the database has, ${ofUnknownUsers} of users that it does not have`,
    ...listLines('These users must reset their password:', withoutPassword),
    ...listLines(
      'These users are blocked until you have repeated their change:',
      blocked.map(({ email, reason }) => `${email} ${reason}`),
    ),
    ...listLines(
      'Platform roles, to compare with your records:',
      platformRoles.map(({ email, role }) => `${role} ${email}`),
    ),
  ].join('\n');
};

await runCli(async () => {
  const changes = await readChanges(process.argv[2]);
  return formatResult(await secureRestoredDatabase(await findDatabaseUrl(process.env), changes));
});
