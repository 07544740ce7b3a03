import { readdirSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { type Resource, readManifests, renderOverlay } from './kubernetes-manifests.ts';
import { PROVIDER_VARIABLES } from './processes.ts';

const KUBERNETES = resolve(import.meta.dirname, '../../deploy/kubernetes');
export const OVERLAYS = readdirSync(resolve(KUBERNETES, 'overlays'));

type Probe = { httpGet: { path: string; port: string } };
type SecretKey = { name: string; key: string; optional?: boolean };
type Variable = { name: string; value?: string; valueFrom?: { secretKeyRef?: SecretKey } };
type Container = {
  image: string;
  ports?: { name: string; containerPort: number }[];
  env?: Variable[];
  envFrom?: { configMapRef?: { name: string }; secretRef?: { name: string } }[];
  resources: Record<'requests' | 'limits', Record<string, string>>;
  startupProbe?: Probe;
  readinessProbe?: Probe;
  livenessProbe?: Probe;
  securityContext: object;
};
type PodSpec = {
  serviceAccountName: string;
  automountServiceAccountToken: boolean;
  terminationGracePeriodSeconds?: number;
  securityContext: Record<string, unknown>;
  containers: Container[];
};
type Metadata = { labels: Record<string, string>; annotations?: Record<string, string> };
export type Workload = {
  replicas?: number;
  minReadySeconds?: number;
  strategy?: { rollingUpdate: { maxSurge: number } };
  template: { spec: PodSpec; metadata: Metadata };
};

/** The example Secrets of every overlay, and the additional ones of the engines in the cluster. */
export const SECRETS: Resource[] = ['secrets.example.yaml', 'secrets.operators.example.yaml'].flatMap(
  (file) => readManifests(resolve(KUBERNETES, file)),
);

/** The names of the Secrets that a container must have. */
export const getSecretNames = ({ env = [], envFrom = [] }: Container): string[] => [
  ...env.flatMap(({ valueFrom }) =>
    valueFrom?.secretKeyRef && !valueFrom.secretKeyRef.optional ? valueFrom.secretKeyRef.name : [],
  ),
  ...envFrom.flatMap(({ secretRef }) => secretRef?.name ?? []),
];

const REFERENCE = /\$\((\w+)\)/g;

/**
 * The variables of `env`, with valid values in place of secrets. Optional secrets, and variables to which
 * only other variables refer, are left out.
 */
const readVariables = (variables: readonly Variable[]): Record<string, string> => {
  const referenced = variables.flatMap(({ value = '' }) =>
    [...value.matchAll(REFERENCE)].map(([, name]) => name),
  );
  const entries = variables.flatMap(({ name, value, valueFrom }): [string, string][] => {
    if (value !== undefined) return [[name, value.replaceAll(REFERENCE, 'password')]];
    const isSet = !referenced.includes(name) && valueFrom?.secretKeyRef?.optional !== true;
    return isSet ? [[name, PROVIDER_VARIABLES[name] ?? '']] : [];
  });
  return Object.fromEntries(entries);
};

/** The process reads the logo from a mounted ConfigMap, which does not exist here. */
const inThisCheckout = ({ LOGO_FILE: logo, ...others }: Record<string, string>): Record<string, string> => ({
  ...others,
  ...(logo !== undefined && { LOGO_FILE: resolve(KUBERNETES, 'components/pages', basename(logo)) }),
});

/** Queries on the resources of an overlay. */
const createOverlay = (name: string, resources: Resource[]) => {
  const ofKind = (kind: string): Resource[] => resources.filter((each) => each.kind === kind);
  const find = (kind: string, named: string): Resource | undefined =>
    ofKind(kind).find(({ metadata }) => metadata.name === named);
  const get = (kind: string, named: string): Resource => {
    const found = find(kind, named);
    if (!found) throw new Error(`${name} has no ${kind} ${named}`);
    return found;
  };
  /** Finds a ConfigMap by its name without the content hash. */
  const configMap = (named: string): Record<string, string> => {
    const found = ofKind('ConfigMap').find(
      ({ metadata }) => metadata.name.replace(/-[0-9a-z]{10}$/, '') === named,
    );
    return found?.data ?? {};
  };
  const getJob = (): Resource => {
    const [job, ...others] = ofKind('Job');
    if (!job || others.length > 0) throw new Error(`${name} must have exactly one Job`);
    return job;
  };
  const workload = (pod: string) => (pod === 'migrate' ? getJob() : get('Deployment', pod)).spec as Workload;
  const podSpec = (pod: string) => workload(pod).template.spec;
  const container = (pod: string): Container => {
    const [first] = podSpec(pod).containers;
    if (!first) throw new Error(`${pod} has no container`);
    return first;
  };
  /** The environment of the process. Valid values replace the placeholders of the example secrets. */
  const environment = (pod: string): Record<string, string> => {
    const { env = [], envFrom = [] } = container(pod);
    const sources = envFrom.map(({ configMapRef, secretRef }) => {
      if (configMapRef) return get('ConfigMap', configMapRef.name).data;
      const { stringData = {} } = SECRETS.find(({ metadata }) => metadata.name === secretRef?.name) ?? {};
      return Object.fromEntries(Object.keys(stringData).map((key) => [key, PROVIDER_VARIABLES[key]]));
    });
    return inThisCheckout({
      LISTEN_HOST: '0.0.0.0',
      NODE_ENV: 'production',
      ...Object.assign({}, ...sources),
      ...readVariables(env),
    });
  };
  return { resources, ofKind, find, get, configMap, getJob, workload, podSpec, container, environment };
};

export type Overlay = ReturnType<typeof createOverlay>;

export const readOverlay = (name: string): Overlay =>
  createOverlay(name, renderOverlay(resolve(KUBERNETES, 'overlays', name)));
