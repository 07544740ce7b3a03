import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import fastJsonPatch, { type Operation } from 'fast-json-patch';
import { parse, parseAllDocuments } from 'yaml';

export type Resource = {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; labels?: Record<string, string> };
  spec?: Record<string, unknown>;
  data?: Record<string, string>;
  stringData?: Record<string, string>;
};

type Generator = { name: string; behavior?: 'merge'; literals: string[] };
type Kustomization = {
  apiVersion: 'kustomize.config.k8s.io/v1beta1';
  kind: 'Kustomization';
  namespace?: string;
  resources?: string[];
  images?: { name: string; newName: string; newTag: string }[];
  replicas?: { name: string; count: number }[];
  configMapGenerator?: Generator[];
  patches?: { target: { kind: string; name: string }; patch: string }[];
};

type PodTemplate = { template: { spec: { containers: { image: string }[] } } };

/** What an overlay may use: what this reader knows. Anything else would be passed over in silence. */
const KNOWN = new Set([
  ...['apiVersion', 'kind', 'namespace', 'resources', 'images', 'replicas', 'configMapGenerator', 'patches'],
]);

export const readManifests = (file: string): Resource[] =>
  parseAllDocuments(readFileSync(file, 'utf8')).map((document) => {
    if (document.errors[0]) throw document.errors[0];
    return document.toJS() as Resource;
  });

const readKustomization = (folder: string): Kustomization => {
  const kustomization = parse(readFileSync(join(folder, 'kustomization.yaml'), 'utf8')) as Kustomization;
  const unknown = Object.keys(kustomization).filter((key) => !KNOWN.has(key));
  if (unknown.length > 0) throw new Error(`${folder}: ${unknown.join(', ')} is not read here`);
  return kustomization;
};

const gather = (folder: string, entries: readonly string[]): Resource[] =>
  entries.flatMap((entry) => {
    const path = join(folder, entry);
    return statSync(path).isDirectory() ? kustomize(path) : readManifests(path);
  });

const generate = (resources: Resource[], { name, behavior, literals }: Generator): void => {
  const data = Object.fromEntries(
    literals.map((literal) => {
      const [, key = '', value = ''] = /^(\w+)=(.*)$/.exec(literal) ?? [];
      return [key, value];
    }),
  );
  const existing = resources.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === name);
  if ((behavior === 'merge') !== (existing !== undefined))
    throw new Error(`ConfigMap ${name}: merge what is there, generate what is not`);
  if (existing) existing.data = { ...existing.data, ...data };
  else resources.push({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data });
};

const findOne = (resources: Resource[], kind: string, name: string): Resource => {
  const found = resources.find((each) => each.kind === kind && each.metadata.name === name);
  if (!found) throw new Error(`There is no ${kind} ${name} to change`);
  return found;
};

const setImage = (resources: Resource[], image: { name: string; newName: string; newTag: string }): void => {
  const containers = resources.flatMap(
    ({ spec }) => (spec as PodTemplate | undefined)?.template?.spec.containers ?? [],
  );
  const own = containers.filter((container) => container.image === image.name);
  if (own.length === 0) throw new Error(`No container has the image ${image.name}`);
  for (const container of own) container.image = `${image.newName}:${image.newTag}`;
};

const setNamespace = ({ kind, metadata }: Resource, namespace: string): void => {
  if (kind === 'Namespace') metadata.name = namespace;
  else metadata.namespace = namespace;
};

const change = (resources: Resource[], { patches = [], replicas = [], images = [] }: Kustomization): void => {
  for (const { target, patch } of patches)
    fastJsonPatch.applyPatch(findOne(resources, target.kind, target.name), parse(patch) as Operation[], true);
  for (const { name, count } of replicas)
    Object.assign(findOne(resources, 'Deployment', name).spec ?? {}, { replicas: count });
  for (const image of images) setImage(resources, image);
};

/**
 * What `kubectl kustomize` makes of an overlay, as far as ours go: JSON patches (RFC 6902), images, replicas, settings and
 * the namespace. The names of the ConfigMaps stay without the hash that it adds to them.
 */
export const kustomize = (folder: string): Resource[] => {
  const kustomization = readKustomization(folder);
  const { namespace, configMapGenerator = [] } = kustomization;
  const resources = gather(folder, kustomization.resources ?? []);
  for (const generator of configMapGenerator) generate(resources, generator);
  change(resources, kustomization);
  if (namespace !== undefined) for (const resource of resources) setNamespace(resource, namespace);
  return resources;
};
