import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { hasKubectl, type Resource, readManifests } from '../deploy/kubernetes-manifests.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const FOLDER = join(ROOT, 'deploy/kubernetes');

/** CloudNativePG's resources, which not every overlay contains. */
const OPERATED: Record<string, readonly string[]> = {
  Cluster: ['postgres'],
  Backup: [],
  ScheduledBackup: ['postgres'],
};
/** Created by the runbooks. */
const CREATED: Record<string, readonly string[]> = { Pod: ['operator'] };

/** As kubectl accepts them, and their kinds. */
const TYPES: Record<string, string> = {
  deployment: 'Deployment',
  deployments: 'Deployment',
  horizontalpodautoscalers: 'HorizontalPodAutoscaler',
  job: 'Job',
  secret: 'Secret',
  pod: 'Pod',
  pods: 'Pod',
  'clusters.postgresql.cnpg.io': 'Cluster',
  'backups.postgresql.cnpg.io': 'Backup',
  'scheduledbackups.postgresql.cnpg.io': 'ScheduledBackup',
};

const readResources = (): Resource[] =>
  readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.yaml'))
    .flatMap((path) => readManifests(join(FOLDER, path)))
    .filter((resource) => resource?.metadata !== undefined);

const RESOURCES = readResources();

const hasResource = (kind: string, name: string): boolean =>
  [OPERATED, CREATED].some((names) => names[kind]?.includes(name)) ||
  RESOURCES.some((resource) => resource.kind === kind && resource.metadata.name === name);

const hasLabel = (key: string, value: string): boolean =>
  key.startsWith('cnpg.io/')
    ? ['postgres', 'primary'].includes(value)
    : RESOURCES.some(({ metadata }) => metadata.labels?.[key] === value);

/** Of `key=value` and `key in (value, …)`. */
const findSelectorErrors = (selector: string): string[] =>
  [...selector.matchAll(/([\w./-]+)(?:=([\w-]+)| in \(([^)]*)\))/g)].flatMap(
    ([, key = '', value = '', values = value]) =>
      values
        .split(/, */)
        .filter((item) => !hasLabel(key, item))
        .map((item) => `no manifest has the label ${key}=${item}`),
  );

const readHelp = (...args: string[]): string => spawnSync('kubectl', args, { encoding: 'utf8' }).stdout;

/**
 * The flags of a subcommand, with those of all commands, as the installed kubectl documents them; none when it has no such
 * subcommand, undefined without kubectl.
 */
const readFlags = (subcommand: readonly string[]): Set<string> | undefined => {
  if (!hasKubectl()) return undefined;
  const help = readHelp(...subcommand, '--help');
  if (!new RegExp(`^ +kubectl ${subcommand.join(' ')}\\b`, 'm').test(help)) return new Set();
  const flags = `${help}\n${readHelp('options')}`.matchAll(/^ +(?:(-\w), )?(--[\w-]+)=/gm);
  return new Set([...flags].flatMap(([, short = '', long = '']) => [short, long]));
};

const NESTED = new Set(['config', 'rollout']);
/** Their first argument is a pod. */
const OF_PODS = new Set(['exec', 'logs']);

const findNameErrors = (verb: string, args: readonly string[]): string[] => {
  const unknown = (kind: string, name: string) =>
    name.startsWith('$') || hasResource(kind, name) ? [] : [`no manifest of ${kind} ${name}`];
  const slashed = args.filter((arg) => arg.includes('/') && !arg.startsWith('$'));
  const errors = slashed.flatMap((arg) => {
    const [type = '', name = ''] = arg.split('/');
    return TYPES[type] ? unknown(TYPES[type], name) : [`unknown resource type ${type}`];
  });
  const [first = '', ...names] = args;
  if (slashed.length > 0 || first === '' || first.startsWith('$')) return errors;
  if (OF_PODS.has(verb)) return unknown('Pod', first);
  if (NESTED.has(verb)) return errors;
  return TYPES[first]
    ? names.flatMap((name) => unknown(TYPES[first] ?? '', name))
    : [`unknown resource type ${first}`];
};

const findFlagErrors = (flag: string, known: Set<string> | undefined): string[] => {
  const [name = '', ...rest] = flag.split('=');
  const value = rest.join('=');
  if (known && !known.has(name)) return [`unknown flag ${name}`];
  if (name === '--namespace')
    return hasResource('Namespace', value) ? [] : [`no manifest of Namespace ${value}`];
  if (name === '--selector') return findSelectorErrors(value);
  return [];
};

/** @param words of a `kubectl` command, with variables unexpanded */
export const findKubectlErrors = (words: readonly string[]): string[] => {
  const [, verb = '', ...others] = words;
  const args = NESTED.has(verb) ? others.slice(1) : others;
  const end = args.indexOf('--');
  const own = end < 0 ? args : args.slice(0, end);
  const known = readFlags(NESTED.has(verb) ? [verb, others[0] ?? ''] : [verb]);
  if (known?.size === 0) return [`unknown command: kubectl ${verb}`];
  const scripts = args
    .slice(own.length)
    .filter((word) => word.endsWith('.ts') && !existsSync(join(ROOT, word)));
  return [
    ...own.filter((word) => word.startsWith('-')).flatMap((flag) => findFlagErrors(flag, known)),
    ...findNameErrors(
      verb,
      own.filter((word) => !word.startsWith('-')),
    ),
    ...scripts.map((path) => `${path}: no such file`),
  ];
};
