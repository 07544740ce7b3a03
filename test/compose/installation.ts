import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { readDocBlocks, readDocCommands } from '../../tools/doc-commands.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const run = promisify(execFile);
const MAX_OUTPUT = 2 ** 26;
const PROJECT = 'marketplace-check';
export const GATEWAY_PORT = 13_000;
export const INBOX_PORT = 18_025;

const readPage = (page: string): Promise<string> => readFile(join(ROOT, 'docs', page), 'utf8');

/** Reads the functions that the pages define for their commands. The ones for Compose are last. */
const readFunctions = async (): Promise<string[]> => {
  const pages = await Promise.all(['runbooks.md', 'backup.md'].map(readPage));
  const commands = pages.flatMap(readDocCommands).map(({ command }) => command);
  const lines = pages.flatMap((page) =>
    readDocBlocks(page).flatMap(({ attribute, lines }) => (attribute === 'compose' ? lines : [])),
  );
  return [...commands, ...lines].filter((text) => /^\w+\(\) \{/.test(text) && text.endsWith('}'));
};

/** Returns the block for Compose below a heading of a page: the last one, or the one that contains `text`. */
const readBlock = async (page: string, heading: string, text = ''): Promise<string> => {
  const [, section = ''] = (await readPage(page)).split(`\n## ${heading}\n`);
  const blocks = readDocBlocks(section.split('\n## ', 1)[0] ?? '')
    .filter(({ language, attribute }) => language === 'sh' && attribute === 'compose')
    .map(({ lines }) => lines.join('\n'));
  const block = blocks.findLast((candidate) => candidate.includes(text));
  if (block === undefined) throw new Error(`docs/${page} has no block for Compose below ${heading}`);
  return block;
};

type Given = Record<string, string>;

/** Removes the assignments of variables that are given. */
const withoutAssignments = (block: string, given: Given): string =>
  block
    .split('\n')
    .filter((line) => !Object.keys(given).some((name) => line.startsWith(`${name}=`)))
    .join('\n');

/**
 * Copies this checkout and gives it a separate Compose project, so that the .env, secrets and volumes of a
 * developer do not change.
 */
export const createInstallation = async () => {
  const directory = await mkdtemp(join(tmpdir(), 'compose-'));
  const { stdout } = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    maxBuffer: MAX_OUTPUT,
  });
  for (const file of stdout.split('\0').filter((name) => name !== ''))
    await cp(join(ROOT, file), join(directory, file), { recursive: true }).catch(ignoreDeleted);
  const functions = await readFunctions();
  const environment = {
    ...process.env,
    COMPOSE_PROJECT_NAME: PROJECT,
    GATEWAY_PORT: String(GATEWAY_PORT),
    INBOX_PORT: String(INBOX_PORT),
    VERSION: 'check',
    // The load comes from one address, and must not overload a busy machine with hashing.
    RATE_LIMIT_SCALE: '1000',
    BCRYPT_COST: '10',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://otel-collector:4318',
  };

  /** @throws Error with the output when a command fails */
  const sh = async (script: string, given: Given = {}): Promise<string> => {
    const options = { cwd: directory, env: { ...environment, ...given }, maxBuffer: MAX_OUTPUT };
    // The copy has no releases that git could check out.
    const code = ['set -euo pipefail', 'git() { :; }', ...functions, script].join('\n');
    try {
      return (await run('bash', ['-c', code], options)).stdout.trim();
    } catch (error) {
      const { stdout = '', stderr = '', message } = error as Error & { stdout?: string; stderr?: string };
      throw new Error(`${message.split('\n', 1)[0]}\n${stdout}${stderr}`.slice(-4_000));
    }
  };
  return {
    directory,
    project: PROJECT,
    sh,
    /** Runs the block of a page, with other values for its variables. */
    runBlock: async (page: string, heading: string, given: Given = {}, text?: string): Promise<string> => {
      const block = await readBlock(page, heading, text);
      return await sh(
        withoutAssignments(block, given).replaceAll('127.0.0.1:3000', `127.0.0.1:${GATEWAY_PORT}`),
        given,
      );
    },
    remove: async (): Promise<void> => {
      await sh('docker compose --profile "*" down --volumes --remove-orphans --timeout 5');
      await rm(directory, { recursive: true, force: true });
    },
  };
};

export type Installation = Awaited<ReturnType<typeof createInstallation>>;

/** A step throws when it fails. Returns a text if it has measured something. */
export type Step = readonly [title: string, run: (installation: Installation) => Promise<unknown>];

/** Ignores files that git lists although they are deleted. */
const ignoreDeleted = (error: NodeJS.ErrnoException): void => {
  if (error.code !== 'ENOENT') throw error;
};
