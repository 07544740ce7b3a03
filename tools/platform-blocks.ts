import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import { findComposeErrors, readComposeFile } from './deploy/compose-file.ts';
import { readManifests } from './deploy/kubernetes-manifests.ts';
import { getAllSecretNames, getAllVariableNames, PROVIDER_VARIABLES } from './deploy/processes.ts';
import { type DocBlock, readDocBlocks } from './doc-commands.ts';

// "```sh compose", "```yaml compose" and "```sh kubernetes" blocks of the documents need a container engine or a cluster. They are
// checked without running them: for syntax, and for names of services, resources and files.

const ROOT = resolve(import.meta.dirname, '..');
const MANIFESTS = join(ROOT, 'deploy/kubernetes');

export const readPlatformBlocks = (page: string): DocBlock[] =>
  readDocBlocks(page).filter(({ attribute }) => ['compose', 'kubernetes'].includes(attribute));

const SERVICES = new Set(Object.keys(readComposeFile().services));
/** Created by CloudNativePG and by the runbooks. */
const CREATED = ['postgres', 'operator'];
const RESOURCES = new Set([
  ...CREATED,
  ...readdirSync(MANIFESTS, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.yaml'))
    .flatMap((path) => readManifests(join(MANIFESTS, path)))
    .map((resource) => resource?.metadata?.name),
]);

const findSyntaxErrors = (script: string): string[] => {
  const { status, stderr } = spawnSync('bash', ['-n'], { input: script, encoding: 'utf8' });
  return status === 0 ? [] : [stderr.trim()];
};

const findMissingFiles = (script: string): string[] =>
  [...script.matchAll(/(?<![\w./-])[a-z-]+(?:\/[\w.-]+)+\.(?:ts|sh|yaml)\b/g)]
    .filter(([path]) => !existsSync(join(ROOT, path)))
    .map(([path]) => `${path}: no such file`);

/** The words after `program` in each command, without flags; a flag has its value after `=`. */
const findCommands = (script: string, program: string): string[][] =>
  script
    .replaceAll('\\\n', ' ')
    .split(/\n|;|&&|\||<|>|\s#/)
    .filter((command) => command.includes(program))
    .map((command) => command.slice(command.indexOf(program) + program.length).trim())
    .map((command) => command.split(/\s+/).filter((word) => !word.startsWith('-')));

const findComposeCommandErrors = ([verb = '', ...words]: string[]): string[] => {
  const [service = '', script = ''] = words;
  const runs = verb === 'exec' || verb === 'run';
  const unknown = (runs ? [service] : words).filter((word) => !SERVICES.has(word));
  const isMissing = runs && script.endsWith('.ts') && !script.startsWith(`${service}/`);
  return [
    ...unknown.map((word) => `docker-compose.yml has no service ${word}`),
    ...(isMissing ? [`${script} is not in the image of ${service}`] : []),
  ];
};

/** `deployment/x`, `deployment x y`, `secret x`, `exec x`; a variable stands for any name. */
const findKubectlErrors = (command: string[]): string[] => {
  const own = command.slice(0, command.includes('node') ? command.indexOf('node') : undefined);
  const slashed = own.flatMap(
    (word) => /^"?(?:deployment|pod|job|secret)\/([\w-]+)"?$/.exec(word)?.[1] ?? [],
  );
  const start = own.findIndex((word) => ['deployment', 'secret', 'pod'].includes(word));
  const spaced = start < 0 ? [] : own.slice(start + 1).filter((word) => /^[\w-]+$/.test(word));
  return [...slashed, ...spaced]
    .filter((name) => !RESOURCES.has(name))
    .map((name) => `no manifest has the name ${name}`);
};

const VARIABLES = new Set([
  ...getAllVariableNames(PROVIDER_VARIABLES),
  ...[...getAllSecretNames(PROVIDER_VARIABLES)].map((name) => `${name}_FILE`),
]);

const findOverrideErrors = (text: string): string[] => {
  const override = parse(text) as { services: Record<string, { environment?: object }> };
  const unknown = Object.keys(override.services).filter((name) => !SERVICES.has(name));
  const names = Object.values(override.services).flatMap(({ environment = {} }) => Object.keys(environment));
  return [
    ...names.filter((name) => !VARIABLES.has(name)).map((name) => `no process reads ${name}`),
    ...findComposeErrors(override),
    ...unknown.map((name) => `docker-compose.yml has no service ${name}`),
  ];
};

export const findBlockErrors = ({ language, attribute, lines }: DocBlock): string[] => {
  const text = `${lines.join('\n')}\n`;
  if (language === 'yaml') return findOverrideErrors(text);
  return [
    ...findSyntaxErrors(text),
    ...findMissingFiles(text),
    ...(attribute === 'compose'
      ? findCommands(text, 'docker compose ').flatMap(findComposeCommandErrors)
      : findCommands(text, 'kubectl ').flatMap(findKubectlErrors)),
  ];
};
