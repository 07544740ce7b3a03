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

const MODELS = {
  kubernetes: resolve(ROOT, 'node_modules/kubernetes-models'),
  postgres: resolve(ROOT, 'node_modules/@kubernetes-models/cloudnative-pg'),
  monitoring: resolve(ROOT, 'node_modules/@kubernetes-models/prometheus-operator'),
};
/** The type of a kind is an interface with the prefix I. */
const importModel = (models: keyof typeof MODELS, folder: string, kind: string): string =>
  `import(${JSON.stringify(join(MODELS[models], folder, `${kind}.d.ts`))}).I${kind}`;

const BARMAN = 'github.com/cloudnative-pg/barman-cloud/pkg/api';
/**
 * The operator's packages contain no type for ObjectStore. These are the fields of the CRD of
 * plugin-barman-cloud 0.14, with the operator's types where they exist.
 */
const OBJECT_STORE = `{
  apiVersion: 'barmancloud.cnpg.io/v1'; kind: 'ObjectStore'; metadata: { name: string } & Record<string, unknown>;
  spec: {
    configuration: ${importModel('postgres', BARMAN, 'BarmanObjectStoreConfiguration')};
    retentionPolicy?: string;
    instanceSidecarConfiguration?: {
      resources?: ${importModel('kubernetes', 'v1', 'ResourceRequirements')};
    };
  };
}`.replaceAll('\n', ' ');

/** Only the fields that are used; a package of types for one resource is not worth it. */
const SCALED_OBJECT = `{
  apiVersion: 'keda.sh/v1alpha1'; kind: 'ScaledObject'; metadata: { name: string } & Record<string, unknown>;
  spec: {
    scaleTargetRef: { name: string }; minReplicaCount?: number; maxReplicaCount?: number;
    fallback?: { failureThreshold: number; replicas: number };
    triggers: { type: string; metadata: Record<string, string> }[];
  };
}`.replaceAll('\n', ' ');

/** The types of custom resources. The types of Kubernetes itself are in a folder for each API group. */
const CUSTOM_TYPES: Record<string, (kind: string) => string> = {
  'postgresql.cnpg.io/v1': (kind) => importModel('postgres', 'postgresql.cnpg.io/v1', kind),
  'monitoring.coreos.com/v1': (kind) => importModel('monitoring', 'monitoring.coreos.com/v1', kind),
  'monitoring.coreos.com/v1alpha1': (kind) =>
    importModel('monitoring', 'monitoring.coreos.com/v1alpha1', kind),
  'barmancloud.cnpg.io/v1': () => OBJECT_STORE,
  'keda.sh/v1alpha1': () => SCALED_OBJECT,
};

const toType = (apiVersion: string, kind: string): string =>
  CUSTOM_TYPES[apiVersion]?.(kind) ?? importModel('kubernetes', apiVersion, kind);

/**
 * The resource as an object literal with its type, because the compiler rejects unknown fields only in
 * literals.
 */
const toStatement = ({ apiVersion, kind, ...rest }: Resource, index: number): string => {
  const literal = JSON.stringify({ apiVersion, kind, ...rest });
  return `export const resource${index}: ${toType(apiVersion, kind)} = ${literal};`;
};

const compile = (folder: string, file: string): Promise<string[]> =>
  new Promise((resolvePromise) => {
    execFile(process.execPath, [TSC, ...OPTIONS, file], { cwd: folder }, (_error, output) =>
      resolvePromise(output.split('\n').filter((line) => line !== '')),
    );
  });

/**
 * Validates resources against the Kubernetes API: unknown fields, missing fields and wrong types.
 * kubernetes-models is generated from the OpenAPI document of Kubernetes, so the TypeScript compiler is the
 * validator.
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
