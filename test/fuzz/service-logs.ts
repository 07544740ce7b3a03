import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What the processes of the stack have logged about a request. */
export const findLogLines = (dataDir: string, requestId: string | undefined): string[] => {
  if (!requestId) return [];
  const directory = join(dataDir, 'logs');
  return readdirSync(directory).flatMap((name) =>
    readFileSync(join(directory, name), 'utf8')
      .split('\n')
      .filter((line) => line.includes(`"${requestId}"`)),
  );
};
