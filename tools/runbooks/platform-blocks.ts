import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseDocument } from 'yaml';
import { findComposeErrors, readComposeFile } from '../deploy/compose-file.ts';
import { type DocBlock, readDocBlocks } from '../doc-commands.ts';
import { findComposeCommandErrors } from './compose-commands.ts';
import { findKubectlErrors } from './kubectl-commands.ts';
import { parseScript } from './simple-commands.ts';

// The blocks of the runbooks for Compose and Kubernetes, which cannot be run without a container engine or a cluster:
// "```sh compose", "```yaml compose" and "```sh kubernetes".

export const PLATFORMS = ['compose', 'kubernetes'] as const;
export type PlatformBlock = DocBlock & { attribute: (typeof PLATFORMS)[number] };

const ROOT = resolve(import.meta.dirname, '../..');

const isPlatformBlock = (block: DocBlock): block is PlatformBlock =>
  PLATFORMS.some((platform) => platform === block.attribute);

export const readPlatformBlocks = (page: string): PlatformBlock[] =>
  readDocBlocks(page).filter(isPlatformBlock);

const findSyntaxError = (script: string): string[] => {
  const { status, stderr } = spawnSync('bash', ['-n'], { input: script, encoding: 'utf8' });
  return status === 0 ? [] : [stderr.trim()];
};

const findCommandErrors = (words: string[]): string[] => {
  if (words[0] === 'docker') return findComposeCommandErrors(words);
  if (words[0] === 'kubectl') return findKubectlErrors(words);
  return [];
};

const findPathErrors = (script: string): string[] =>
  [...script.matchAll(/(?<![\w./])deploy\/[\w./-]+/g)]
    .map(([path]) => path)
    .filter((path) => !existsSync(join(ROOT, path)))
    .map((path) => `${path}: no such file`);

const findManifestErrors = (text: string): string[] => {
  const document = parseDocument(text);
  const { apiVersion, kind } = (document.toJS() ?? {}) as { apiVersion?: string; kind?: string };
  if (document.errors[0]) return [document.errors[0].message];
  return apiVersion && kind ? [] : ['a manifest needs apiVersion and kind'];
};

const findOverrideErrors = (text: string): string[] => {
  const override = parseDocument(text).toJS() as { services: object };
  const { services } = readComposeFile();
  const unknown = Object.keys(override.services).filter((name) => !services[name]);
  return [
    ...findComposeErrors(override),
    ...unknown.map((name) => `docker-compose.yml has no service ${name}`),
  ];
};

/** The errors that can be found without running the block. */
export const findBlockErrors = ({ language, attribute, lines }: PlatformBlock): string[] => {
  const text = `${lines.join('\n')}\n`;
  if (language === 'yaml') return findOverrideErrors(text);
  if (language !== 'sh') return [`unknown language ${language}`];
  const { commands, documents } = parseScript(text);
  const other = attribute === 'compose' ? 'kubectl' : 'docker';
  return [
    ...findSyntaxError(text),
    ...commands.flatMap(findCommandErrors),
    ...commands.filter(([name]) => name === other).map(() => `${other} in a block for ${attribute}`),
    ...findPathErrors(text),
    ...(attribute === 'kubernetes'
      ? documents.flatMap(findManifestErrors)
      : documents.flatMap(findSyntaxError)),
  ];
};
