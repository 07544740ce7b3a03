import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Resource } from './kustomize.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const TSC = resolve(ROOT, 'node_modules/typescript-native/bin/tsc');
const OPTIONS = [
  ...['--noEmit', '--strict', '--skipLibCheck', '--target', 'es2024', '--types', ''],
  ...['--module', 'nodenext', '--moduleResolution', 'nodenext', '--allowImportingTsExtensions'],
];

/** `networking.k8s.io/v1` is in networking/v1, `v1` in core/v1. */
const moduleOf = (apiVersion: string): string => {
  const [group = '', version] = apiVersion.split('/');
  return version === undefined ? `core/${group}` : `${group.replace(/\..*$/, '')}/${version}`;
};

/** The resource as a literal of its type, where the compiler lets no field pass that the type does not have. */
const toStatement = ({ apiVersion, kind, ...rest }: Resource, index: number): string => {
  const types = resolve(ROOT, 'node_modules/kubernetes-types', `${moduleOf(apiVersion)}.d.ts`);
  const literal = JSON.stringify({ apiVersion, kind, ...rest });
  return `export const resource${index}: import(${JSON.stringify(types)}).${kind} = ${literal};`;
};

const compile = (folder: string, file: string): Promise<string[]> =>
  new Promise((settle) => {
    execFile(process.execPath, [TSC, ...OPTIONS, file], { cwd: folder }, (_error, output) =>
      settle(output.split('\n').filter((line) => line !== '')),
    );
  });

/**
 * What the API of Kubernetes has against the resources: a field that it does not know, one that is missing, one of another
 * type. kubernetes-types is the project's published OpenAPI document as types, so the compiler is the validator.
 */
export const findApiFaults = async (resources: readonly Resource[]): Promise<string[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'kubernetes-api-'));
  try {
    await writeFile(join(folder, 'resources.mts'), resources.map(toStatement).join('\n'));
    const named = ({ kind, metadata }: Resource) => `${kind} ${metadata.name}`;
    return (await compile(folder, 'resources.mts')).map((line) => {
      const [, number] = /resources\.mts\((\d+),/.exec(line) ?? [];
      const resource = resources[Number(number) - 1];
      return resource ? `${named(resource)}: ${line.replace(/^.*?error /, '')}` : line;
    });
  } finally {
    await rm(folder, { recursive: true });
  }
};
