import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomically } from './write-file-atomically.ts';

/** What `stack.json` tells: where everything is, and which processes run it. Absent parts run elsewhere: null. */
export type StackDescription = {
  gatewayUrl: string;
  authUrl: string;
  adminUrl: string;
  inboxUrl: string | null;
  /** As the owner: for migrations, commands and tests. */
  databaseUrl: string;
  databaseUrls: { auth: string; admin: string; worker: string };
  /** ADMIN_ALLOWED_DOMAINS of the stack, for `npm run role:assign`; null when the database is not the stack's own. */
  adminAllowedDomains: string | null;
  redisUrl: string;
  smtpUrl: string;
  opsUrls: { gateway: string; auth: string; admin: string; worker: string };
  pids: {
    stack: number;
    gateway: number | null;
    auth: number | null;
    admin: number | null;
    worker: number | null;
    postgres: number | null;
    redis: number | null;
    inbox: number | null;
  };
};

const fileOf = (dataDir: string) => join(dataDir, 'stack.json');

export const writeStackFile = (dataDir: string, description: StackDescription): void =>
  writeFileAtomically(fileOf(dataDir), `${JSON.stringify(description, null, 2)}\n`);

export const removeStackFile = (dataDir: string): void => rmSync(fileOf(dataDir), { force: true });
