import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { readComposeFile } from '../deploy/compose-file.ts';

const ROOT = resolve(import.meta.dirname, '../..');

type Subcommand = {
  /** Flags without a value. */
  flags: readonly string[];
  /** Flags with a value, as `--name=value` or `--name value`. */
  options?: readonly string[];
  /** Only the first argument names a service; a command follows. */
  hasCommand?: true;
};

/** What the runbooks use (https://docs.docker.com/reference/cli/docker/compose/): the plugin may not be installed. */
const SUBCOMMANDS: Record<string, Subcommand> = {
  build: { flags: ['--pull', '--no-cache'] },
  exec: { flags: ['-T'], options: ['--user', '--env'], hasCommand: true },
  logs: { flags: ['--no-color', '--no-log-prefix', '--follow'], options: ['--since', '--tail'] },
  ps: { flags: ['--all'] },
  restart: { flags: ['--no-deps'] },
  run: {
    flags: ['--rm', '-T', '--no-deps'],
    options: ['--entrypoint', '--env', '--volume'],
    hasCommand: true,
  },
  start: { flags: [] },
  stop: { flags: [] },
  up: {
    flags: ['--detach', '--build', '--force-recreate', '--no-recreate', '--no-deps', '--wait'],
    options: ['--scale', '--profile'],
  },
};

const SERVICES = new Set(Object.keys(readComposeFile().services));

/** The image of a process contains its own workspace, shared and deploy. */
const findScriptErrors = (service: string, words: readonly string[]): string[] =>
  words
    .filter((word) => word.endsWith('.ts'))
    .flatMap((path) => {
      if (!existsSync(resolve(ROOT, path))) return [`${path}: no such file`];
      const [workspace = ''] = path.split('/');
      return ['shared', 'deploy', service].includes(workspace)
        ? []
        : [`${path} is not in the image of ${service}`];
    });

/** The arguments that are no flags, and an error for each unknown flag. A command's own flags are not checked. */
const splitFlags = (words: readonly string[], { flags, options = [], hasCommand }: Subcommand) => {
  const errors: string[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    const [name = '', value] = word.split('=', 2);
    if (!word.startsWith('-')) {
      if (hasCommand) return { errors, rest: words.slice(index) };
      return { errors, rest: words.slice(index).filter((other) => !other.startsWith('-')) };
    }
    if (options.includes(name)) index += value === undefined ? 1 : 0;
    else if (!flags.includes(word)) errors.push(`unknown flag ${word}`);
  }
  return { errors, rest: [] };
};

/** @param words of a `docker` command, with variables unexpanded */
export const findComposeCommandErrors = (words: readonly string[]): string[] => {
  const [, compose, name = '', ...args] = words;
  const subcommand = SUBCOMMANDS[name];
  if (compose !== 'compose' || !subcommand) return [`unknown command: ${words.slice(0, 3).join(' ')}`];
  const { errors, rest } = splitFlags(args, subcommand);
  const [first = '', ...command] = rest;
  const named = subcommand.hasCommand ? [first] : rest;
  const unknown = named.filter((service) => !SERVICES.has(service));
  return [
    ...errors,
    ...unknown.map((service) => `docker-compose.yml has no service ${service}`),
    ...(subcommand.hasCommand ? findScriptErrors(first, command) : []),
  ];
};
