import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** The release `version` is the checkout of the commit, which a later commit names in releases.json. */
type Release = { version: string; commit: string; date: string };

const ROOT = resolve(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(resolve(ROOT, path), 'utf8');

/** The releases, from the first to the last. */
export const RELEASES: readonly Release[] = JSON.parse(read('releases.json'));

/** The version of this checkout, which is that of the last release or of the next one. */
export const { version: VERSION }: { version: string } = JSON.parse(read('package.json'));

/** Whether releases.json names the version. */
export const isReleased = (name: string): boolean => RELEASES.some(({ version }) => version === name);

/** @param name a version of releases.json, or a commit. @returns the last release that is not this checkout */
export const findEarlierRelease = (name?: string): Pick<Release, 'version' | 'commit'> => {
  if (name === undefined) return RELEASES.findLast(({ version }) => version !== VERSION) ?? findLastRelease();
  const release = RELEASES.find(({ version }) => version === name);
  return release ?? { version: name, commit: name };
};

/** The last release. Before the first one, the commit of this checkout stands for it. */
export const findLastRelease = (): Pick<Release, 'version' | 'commit'> =>
  RELEASES.at(-1) ?? {
    version: VERSION,
    commit: execFileSync('git', ['rev-parse', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).trim(),
  };

/** The message says how to fetch the commit. */
export class MissingCommitError extends Error {}

/** Reads a file of a release from the history. @param name as above. @throws MissingCommitError */
export const readReleased = (name: string, path: string): string => {
  const { commit } = findEarlierRelease(name);
  try {
    return execFileSync('git', ['show', `${commit}:${path}`], { cwd: ROOT, encoding: 'utf8', stdio: 'pipe' });
  } catch (cause) {
    const message = `git cannot show ${path} of ${name} (${commit}) in this clone. Run \`git fetch origin ${commit}\`.`;
    throw new MissingCommitError(message, { cause });
  }
};
