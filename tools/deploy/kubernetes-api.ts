import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Resource } from './kubernetes-manifests.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const TSC = resolve(ROOT, 'node_modules/typescript-native/bin/tsc');
const OPTIONS = [
  ...['--noEmit', '--strict', '--skipLibCheck', '--target', 'es2024', '--types', ''],
  ...['--module', 'nodenext', '--moduleResolution', 'nodenext', '--allowImportingTsExtensions'],
];

/** `networking.k8s.io/v1` is in networking/v1, `v1` in core/v1. */
const toModuleName = (apiVersion: string): string => {
  const [group = '', version] = apiVersion.split('/');
  return version === undefined ? `core/${group}` : `${group.replace(/\..*$/, '')}/${version}`;
};

/** The resource as an object literal of its type: the compiler rejects unknown fields of literals. */
const toStatement = ({ apiVersion, kind, ...rest }: Resource, index: number): string => {
  const types = resolve(ROOT, 'node_modules/kubernetes-types', `${toModuleName(apiVersion)}.d.ts`);
  const literal = JSON.stringify({ apiVersion, kind, ...rest });
  return `export const resource${index}: import(${JSON.stringify(types)}).${kind} = ${literal};`;
};

const compile = (folder: string, file: string): Promise<string[]> =>
  new Promise((resolvePromise) => {
    execFile(process.execPath, [TSC, ...OPTIONS, file], { cwd: folder }, (_error, output) =>
      resolvePromise(output.split('\n').filter((line) => line !== '')),
    );
  });

/**
 * Validates resources against the Kubernetes API: unknown fields, missing fields and wrong types. kubernetes-types is
 * generated from the OpenAPI document of Kubernetes, so the TypeScript compiler is the validator.
 */
export const findApiErrors = async (resources: readonly Resource[]): Promise<string[]> => {
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
