import { readdirSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { expect } from 'chai';
import { findApiErrors } from './deploy/kubernetes-api.ts';
import { hasKubectl, type Resource, readManifests } from './deploy/kubernetes-manifests.ts';
import {
  getSecretNames,
  KUBERNETES,
  OVERLAYS,
  type Overlay,
  readOverlay,
  SECRETS,
  type Workload,
} from './deploy/kubernetes-overlay.ts';
import { getVariableNames, PROCESSES, REQUIRED_VARIABLES } from './deploy/processes.ts';
import { readDocBlocks } from './doc-commands.ts';
import { VERSION } from './releases.ts';

const BASE_FILES = readdirSync(resolve(KUBERNETES, 'base')).filter((file) => file !== 'kustomization.yaml');
const hasKustomize = hasKubectl();
const WORKLOADS = ['Deployment', 'StatefulSet', 'Job'];
const isWorkload = (kind: string): boolean => WORKLOADS.includes(kind);
const PODS = [...Object.keys(PROCESSES), 'migrate'];

const dockerfile = readFileSync(resolve(KUBERNETES, '../../Dockerfile'), 'utf8');

/** How the commands of the documents name objects, by kind. */
const NAMES: Record<string, RegExp> = {
  Deployment: /\bdeployment[/ ]((?:[a-z][a-z-]+ ?)+)/g,
  ScaledObject: /\bscaledobject[/ ]([a-z-]+)/g,
  Job: /\bjob[/ ]([a-z-]+)/g,
  Secret: /\bsecret[/ ]([a-z-]+)/g,
};

const readKubernetesCommands = (): string[] => {
  const docs = resolve(KUBERNETES, '../../docs');
  return readdirSync(docs)
    .filter((page) => page.endsWith('.md'))
    .flatMap((page) => readDocBlocks(readFileSync(resolve(docs, page), 'utf8')))
    .flatMap(({ lines }) => lines)
    .filter((line) => line.includes('kubectl'));
};

describe('Kubernetes manifests', () => {
  for (const file of BASE_FILES)
    it(`match the Kubernetes API types (base/${file})`, async () => {
      expect(await findApiErrors(readManifests(resolve(KUBERNETES, 'base', file)))).to.deep.equal([]);
    });

  it('include example secrets with placeholders that the processes reject', async () => {
    expect(await findApiErrors(SECRETS)).to.deep.equal([]);
    const values = Object.assign({}, ...SECRETS.map(({ stringData }) => stringData)) as Record<
      string,
      string
    >;
    for (const [name, value] of Object.entries(values))
      if (name !== 'username') expect(value, name).to.include('replace-me');
    const readAuthConfig = PROCESSES['auth-service'];
    expect(() => readAuthConfig?.({ ...REQUIRED_VARIABLES, ...values, NODE_ENV: 'production' })).to.throw(
      'placeholder',
    );
  });

  it('have the objects that the commands of the documents name', function () {
    if (!hasKustomize) this.skip();
    const { ofKind } = readOverlay('production-operators');
    const commands = readKubernetesCommands().join('\n');
    for (const [kind, pattern] of Object.entries(NAMES)) {
      const named = [...commands.matchAll(pattern)].flatMap(([, names = '']) => names.trim().split(' '));
      const objects = kind === 'Secret' ? SECRETS : ofKind(kind);
      expect(named, kind).not.to.be.empty;
      expect(
        objects.map(({ metadata }) => metadata.name),
        kind,
      ).to.include.members(named);
    }
  });

  for (const overlay of OVERLAYS)
    describe(`overlay ${overlay}, rendered by kubectl${hasKustomize ? '' : ' (skipped: kubectl is not installed)'}`, () => {
      let rendered: Overlay;
      before(function () {
        if (!hasKustomize) this.skip();
        rendered = readOverlay(overlay);
      });

      it('matches the Kubernetes API types', async () => {
        expect(await findApiErrors(rendered.resources)).to.deep.equal([]);
      });

      it('uses images with a version, built from targets of the Dockerfile', () => {
        const { container } = rendered;
        for (const pod of PODS) {
          const [, target, tag] =
            /^registry\.example\.com\/marketplace\/([\w-]+):(.+)$/.exec(container(pod).image) ?? [];
          expect(target).to.equal(pod);
          expect(tag).to.equal(VERSION);
          expect(dockerfile).to.match(new RegExp(`^FROM \\S+ AS ${pod}$`, 'm'));
        }
      });

      it('names workloads, whose pods are named after them, by DNS labels, and the migrated version by a label', () => {
        const { resources, getJob, container } = rendered;
        for (const { metadata } of resources.filter(({ kind }) => isWorkload(kind)))
          expect(metadata.name).to.match(/^[a-z][a-z0-9-]{0,61}[a-z0-9]$/);
        const { labels } = getJob().metadata;
        expect(container('migrate').image.split(':').at(-1)).to.equal(labels?.['app.kubernetes.io/version']);
      });

      for (const [name, readConfig] of Object.entries(PROCESSES))
        it(`sets all required variables of ${name} and no unknown ones`, () => {
          const environment = rendered.environment(name);
          expect(() => readConfig(environment)).not.to.throw();
          expect([...getVariableNames(readConfig, environment)]).to.include.members(Object.keys(environment));
        });

      for (const [name, readConfig] of Object.entries(PROCESSES))
        it(`declares ports and probes of ${name}`, () => {
          const { container, environment, workload } = rendered;
          const { ports, startupProbe, readinessProbe, livenessProbe } = container(name);
          const { apiPort, opsPort } = readConfig(environment(name));
          const http = apiPort ? [{ name: 'http', containerPort: apiPort.number }] : [];
          expect(ports).to.deep.equal([...http, { name: 'ops', containerPort: opsPort.number }]);
          expect(startupProbe?.httpGet).to.deep.equal({ path: '/healthz', port: 'ops' });
          expect(readinessProbe?.httpGet).to.deep.equal({ path: '/readyz', port: 'ops' });
          expect(livenessProbe?.httpGet).to.deep.equal({ path: '/healthz', port: 'ops' });
          const { annotations } = workload(name).template.metadata;
          expect(annotations?.['prometheus.io/port']).to.equal(String(opsPort.number));
        });

      it('includes an example for every secret that a pod must have', () => {
        const { container, resources } = rendered;
        const created = resources.some(({ kind }) => kind === 'Cluster') ? ['postgres-app'] : [];
        const names = new Set([...SECRETS.map(({ metadata }) => metadata.name), ...created]);
        for (const pod of PODS)
          for (const name of getSecretNames(container(pod))) expect(names, pod).to.include(name);
      });

      it('gives each pod its own database login, and only the migrations the one of the owner', () => {
        const { container } = rendered;
        const secretsOf = PODS.filter((pod) => pod !== 'gateway').map((pod) =>
          getSecretNames(container(pod)).filter((name) => /-(database|login|app)$/.test(name)),
        );
        expect(secretsOf.map(({ length }) => length)).to.deep.equal([1, 1, 1, 1]);
        expect(new Set(secretsOf.flat()).size).to.equal(4);
        expect(getSecretNames(container('gateway')).join()).not.to.match(/database|login|postgres/);
        const users = SECRETS.filter(({ metadata }) => secretsOf.flat().includes(metadata.name)).map(
          ({ stringData: { DATABASE_URL, username } = {} }) =>
            username ?? new URL(DATABASE_URL ?? '').username,
        );
        expect(users).to.include.members(['auth_service', 'admin_service', 'mailer_worker']);
      });

      it('binds passkeys to a domain of the frontends that the gateway accepts', () => {
        const { environment } = rendered;
        const { WEBAUTHN_RP_ID = '', WEBAUTHN_ORIGINS } = environment('auth-service');
        expect(WEBAUTHN_ORIGINS).to.equal(environment('gateway')['CORS_ORIGINS']);
        expect(new URL(WEBAUTHN_ORIGINS ?? '').hostname).to.match(new RegExp(`(?:^|\\.)${WEBAUTHN_RP_ID}$`));
      });

      it('drains services for longer than DNS caches keep their address', () => {
        const { environment } = rendered;
        // CoreDNS caches for 30 s, and the gateway resolves every second.
        for (const name of ['auth-service', 'admin-service'])
          expect(Number(environment(name)['DRAIN_SECONDS'])).to.be.greaterThan(35);
      });

      it('runs pods unprivileged, on a read-only file system, with resource requests and limits', () => {
        for (const { metadata, spec } of rendered.resources.filter(({ kind }) => isWorkload(kind))) {
          const { securityContext, containers } = (spec as Workload).template.spec;
          expect(securityContext, metadata.name).to.deep.include({
            runAsNonRoot: true,
            seccompProfile: { type: 'RuntimeDefault' },
          });
          for (const container of containers) {
            expect(container.securityContext, metadata.name).to.deep.equal({
              allowPrivilegeEscalation: false,
              readOnlyRootFilesystem: true,
              capabilities: { drop: ['ALL'] },
            });
            const { requests, limits } = container.resources;
            const names = ['cpu', 'ephemeral-storage', 'memory'];
            expect(Object.keys(requests), metadata.name).to.have.members(names);
            expect(Object.keys(limits), metadata.name).to.have.members(names);
          }
        }
      });

      it('gives pods no token of the Kubernetes API', () => {
        const { podSpec, get } = rendered;
        for (const pod of PODS) {
          expect(podSpec(pod).serviceAccountName, pod).to.equal(pod);
          expect(podSpec(pod).automountServiceAccountToken, pod).to.equal(false);
          expect(get('ServiceAccount', pod), pod).to.have.property('automountServiceAccountToken', false);
        }
      });

      it('mounts the volumes of every pod, and the files that its settings name', () => {
        const { container, podSpec, environment } = rendered;
        for (const pod of PODS) {
          const { volumeMounts = [] } = container(pod);
          const volumes = (podSpec(pod).volumes ?? []).map(({ name }) => name);
          expect(
            volumeMounts.map(({ name }) => name),
            pod,
          ).to.have.members(volumes);
          const { LOGO_FILE: logo } = rendered.configMap(pod);
          const { DATABASE_URL: url } = environment(pod);
          const authority = url && new URL(url).searchParams.get('sslrootcert');
          for (const file of [logo, authority].filter((path) => typeof path === 'string'))
            expect(
              volumeMounts.map(({ mountPath }) => mountPath),
              `${pod}: ${file}`,
            ).to.include(dirname(file));
        }
      });

      it('disables service links, which would set GATEWAY_PORT to an address', () => {
        const { podSpec, get } = rendered;
        expect(get('Service', 'gateway').metadata.name).to.equal('gateway');
        for (const pod of PODS) expect(podSpec(pod).enableServiceLinks, pod).to.equal(false);
      });

      it('has the priority class that its pods name', () => {
        const { resources, podSpec } = rendered;
        const classes = resources.filter(({ kind }) => kind === 'PriorityClass');
        const named = Object.keys(PROCESSES).flatMap((pod) => podSpec(pod).priorityClassName ?? []);
        expect(classes.map(({ metadata }) => metadata.name)).to.have.members([...new Set(named)]);
      });

      it('applies the migration Job with what it needs first', () => {
        const { resources, getJob } = rendered;
        const withLabel = ({ metadata }: Resource) =>
          metadata.labels?.['app.kubernetes.io/component'] === 'migration';
        const first = resources.filter(withLabel);
        expect(first.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).to.have.members([
          ...['ServiceAccount migrate', `Job ${getJob().metadata.name}`],
          ...['NetworkPolicy deny-all', 'NetworkPolicy resolve-dns', 'NetworkPolicy reach-postgres'],
        ]);
        const getWave = ({ metadata }: Resource) =>
          Number(metadata.annotations?.['argocd.argoproj.io/sync-wave'] ?? 0);
        expect(resources.filter((each) => getWave(each) === -1)).to.have.members(first);
        const before = resources.filter((each) => getWave(each) < -1).map(({ kind }) => kind);
        expect(before).to.include('Namespace');
        for (const { kind } of resources.filter(({ apiVersion }) => /cnpg/.test(apiVersion)))
          expect(before, 'the migrations need PostgreSQL').to.include(kind);
      });

      for (const page of ['deployment.md', 'releasing.md'])
        it(`applies everything in the order of ${page}, what the processes need before them`, () => {
          const text = readFileSync(resolve(KUBERNETES, '../../docs', page), 'utf8');
          const [block = ''] = /^OVERLAY=[\s\S]+?^```/m.exec(text) ?? [];
          const [, processes = ''] = /name notin \(([\w,-]+)\)/.exec(block) ?? [];
          expect(block.indexOf('name notin')).to.be.below(block.indexOf('for process in'));
          expect(/^for process in (.+); do$/m.exec(block)?.[1]?.split(' '))
            .to.have.members(processes.split(','))
            .and.to.have.members(Object.keys(PROCESSES));
          // A resource without the label, such as a generated ConfigMap, is applied by `notin`.
          const inLoop = rendered.resources.filter(({ metadata }) =>
            processes.split(',').includes(metadata.labels?.['app.kubernetes.io/name'] ?? ''),
          );
          expect(inLoop.map(({ kind }) => kind)).to.deep.equal(inLoop.map(() => 'Deployment'));
        });
    });
});
