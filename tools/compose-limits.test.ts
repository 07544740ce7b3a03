import { resolve } from 'node:path';
import { expect } from 'chai';
import { type ComposeService, readComposeFile } from './deploy/compose-file.ts';
import { type Resource, readManifests } from './deploy/kubernetes-manifests.ts';
import { PROCESSES } from './deploy/processes.ts';

const BASE = resolve(import.meta.dirname, '../deploy/kubernetes/base');
const MEBIBYTES: Record<string, number> = { Mi: 1, m: 1, Gi: 1_024, g: 1_024 };

const { services } = readComposeFile();
const getService = (name: string): ComposeService => {
  const service = services[name];
  if (!service) throw new Error(`docker-compose.yml has no ${name}`);
  return service;
};

/** `384Mi` of Kubernetes is `384m` of Compose. */
const toMebibytes = (quantity: string | undefined): number => {
  const [, number, unit = ''] = /^(\d+)(\w+)$/.exec(quantity ?? '') ?? [];
  return Number(number) * (MEBIBYTES[unit] ?? Number.NaN);
};

/** `500m` of Kubernetes is half a processor. */
const toProcessors = (quantity: string): number =>
  quantity.endsWith('m') ? Number(quantity.slice(0, -1)) / 1_000 : Number(quantity);

type Limits = { cpu: string; memory: string };

const readKubernetesLimits = (name: string): Limits => {
  const isWorkload = ({ kind, metadata }: Resource) =>
    ['Deployment', 'Job'].includes(kind) && metadata.name === name;
  const spec = readManifests(resolve(BASE, `${name}.yaml`)).find(isWorkload)?.spec as
    | { template: { spec: { containers: { resources: { limits: Limits } }[] } } }
    | undefined;
  const [container] = spec?.template.spec.containers ?? [];
  if (!container) throw new Error(`${name}.yaml has no container`);
  return container.resources.limits;
};

/** The value of `--name=256MB` in the command of Postgres. */
const readPostgresSetting = (name: string): number => {
  const command = getService('postgres').command as string[];
  const [, value] = command.find((argument) => argument.startsWith(`--${name}=`))?.split('=') ?? [];
  return Number(value?.replace('MB', ''));
};

describe('limits in docker-compose.yml', () => {
  it('set the maximum memory of every container', () => {
    for (const [name, { mem_limit }] of Object.entries(services))
      expect(toMebibytes(mem_limit), name).to.be.within(128, 1_024);
  });

  for (const name of [...Object.keys(PROCESSES), 'migrate'])
    it(`are those of Kubernetes for ${name}`, () => {
      const { cpu, memory } = readKubernetesLimits(name);
      expect(toMebibytes(getService(name).mem_limit)).to.equal(toMebibytes(memory));
      expect(getService(name).cpus).to.equal(toProcessors(cpu));
    });

  it('leave Postgres memory for connections, maintenance and the cache of files', () => {
    const limit = toMebibytes(getService('postgres').mem_limit);
    const sharedBuffers = readPostgresSetting('shared_buffers');
    expect(sharedBuffers).to.equal(limit / 4);
    // Three autovacuum workers at once, and 100 connections with 4 MB of work_mem each.
    const maintenance = 3 * readPostgresSetting('maintenance_work_mem');
    const connections = 4 * readPostgresSetting('max_connections');
    expect(sharedBuffers + maintenance + connections).to.be.below(limit);
    expect(readPostgresSetting('effective_cache_size')).to.be.within(sharedBuffers, limit);
  });
});
