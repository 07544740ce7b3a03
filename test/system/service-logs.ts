import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { waitFor } from '@platform/shared/testing/poll';
import type { RunningStack } from '@platform/shared/testing/stack';

export const SERVICES = ['gateway', 'auth-service', 'admin-service', 'mailer-worker'] as const;
export type ServiceName = (typeof SERVICES)[number];
export type LogLine = Record<string, unknown> & { msg: string };

/** The log of a process of the stack, without an incomplete last line. */
export const readLog = async (
  { dataDir }: Pick<RunningStack, 'dataDir'>,
  service: ServiceName,
): Promise<LogLine[]> => {
  const text = await readFile(join(dataDir, 'logs', `${service}.log`), 'utf8');
  return text
    .split('\n')
    .slice(0, -1)
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as LogLine);
};

export const waitForLogLine = (
  stack: Pick<RunningStack, 'dataDir'>,
  service: ServiceName,
  matches: (line: LogLine) => boolean,
): Promise<LogLine> =>
  waitFor(`a line of ${service}'s log`, async () => (await readLog(stack, service)).find(matches));
