import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Account } from '../child-process.ts';
import { StackError } from '../stack-error.ts';

const candidates = ['postgres', 'nobody'];

/** The first account of `names` in the text of a passwd file that is not root under another name. */
export const findAccount = (passwd: string, names = candidates): Account | undefined => {
  const accounts = passwd.split('\n').map((line) => line.split(':'));
  for (const name of names) {
    const [, , uid, gid] = accounts.find(([account]) => account === name) ?? [];
    if (Number(uid) > 0 && Number(gid) > 0) return { name, uid: Number(uid), gid: Number(gid) };
  }
  return undefined;
};

export const runsAsRoot = (): boolean => process.getuid?.() === 0;

/**
 * PostgreSQL refuses to run as root: the account it is run as instead.
 * @throws StackError when there is none
 */
export const chooseAccount = (): Account => {
  const account = findAccount(readFileSync('/etc/passwd', 'utf8'));
  if (account) return account;
  throw new StackError(
    `PostgreSQL refuses to run as root, and this machine has no account ${candidates.join(' or ')} to run it as. ` +
      'Run npm start as an ordinary user, or set DATABASE_URL to a PostgreSQL of yours.',
  );
};

/** Asks the system itself, which knows of access lists and mounts that mode bits do not tell of. */
export const canEnter = (directory: string, account: Account): boolean => {
  const { uid, gid } = account;
  return (
    spawnSync('/bin/sh', ['-c', 'cd "$0"', directory], { uid, gid, cwd: '/', stdio: 'ignore' }).status === 0
  );
};
