import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect } from 'chai';
import { findApiErrors } from './deploy/kubernetes-api.ts';
import { hasKubectl, type Resource, readManifests, renderOverlay } from './deploy/kubernetes-manifests.ts';
import { getVariableNames, PROCESSES, REQUIRED_VARIABLES } from './deploy/processes.ts';

const FOLDER = resolve(import.meta.dirname, '../deploy/kubernetes');
const OVERLAYS = ['staging', 'production'];
const BASE_FILES = readdirSync(resolve(FOLDER, 'base')).filter((file) => file !== 'kustomization.yaml');
const hasKustomize = hasKubectl();
const PODS = [...Object.keys(PROCESSES), 'migrate'];

type Probe = { httpGet: { path: string; port: string }; periodSeconds: number; failureThreshold: number };
type Container = {
  image: string;
  ports?: { name: string; containerPort: number }[];
  envFrom: { configMapRef?: { name: string }; secretRef?: { name: string } }[];
  resources: Record<'requests' | 'limits', { cpu: string; memory: string }>;
  startupProbe?: Probe;
  readinessProbe?: Probe;
  livenessProbe?: Probe;
  securityContext: object;
};
type PodSpec = {
  serviceAccountName: string;
  automountServiceAccountToken: boolean;
  enableServiceLinks: boolean;
  terminationGracePeriodSeconds: number;
  securityContext: object;
  topologySpreadConstraints?: object[];
  containers: Container[];
};
type Workload = { replicas?: number; template: { spec: PodSpec; metadata: Metadata } };
type Metadata = { labels: Record<string, string>; annotations?: Record<string, string> };
type Selector = {
  matchLabels?: Record<string, string>;
  matchExpressions?: { key: string; operator: string; values: string[] }[];
};
type Peer = { podSelector?: Selector; namespaceSelector?: Selector; ipBlock?: { cidr: string } };
type Rule = { from?: Peer[]; to?: Peer[]; ports: { port: number; endPort?: number }[] };
type Policy = { podSelector: Selector; policyTypes: string[]; ingress?: Rule[]; egress?: Rule[] };

const secrets = readManifests(resolve(FOLDER, 'secrets.example.yaml'));
const readBase = (): Resource[] => BASE_FILES.flatMap((file) => readManifests(resolve(FOLDER, 'base', file)));
const isWorkload = ({ kind }: Resource): boolean => kind === 'Deployment' || kind === 'Job';
const dockerfile = readFileSync(resolve(FOLDER, '../../Dockerfile'), 'utf8');

/** Queries on the rendered resources of an overlay. */
const createOverlay = (name: string) => {
  const resources = renderOverlay(resolve(FOLDER, 'overlays', name));
  const ofKind = (kind: string): Resource[] => resources.filter((each) => each.kind === kind);
  const get = (kind: string, named: string): Resource => {
    const found = ofKind(kind).find(({ metadata }) => metadata.name === named);
    if (!found) throw new Error(`${name} has no ${kind} ${named}`);
    return found;
  };
  const getJob = (): Resource => {
    const [job, ...others] = ofKind('Job');
    if (!job || others.length > 0) throw new Error(`${name} has not exactly one Job`);
    return job;
  };
  const workload = (pod: string) => (pod === 'migrate' ? getJob() : get('Deployment', pod)).spec as Workload;
  const podSpec = (pod: string) => workload(pod).template.spec;
  const container = (pod: string): Container => {
    const [first] = podSpec(pod).containers;
    if (!first) throw new Error(`${pod} has no container`);
    return first;
  };
  /** The environment of the process, with valid values for the secrets, which are placeholders in the example. */
  const environment = (pod: string): Record<string, string> => ({
    HOST: '0.0.0.0',
    NODE_ENV: 'production',
    ...Object.assign(
      {},
      ...container(pod).envFrom.map(({ configMapRef, secretRef }) => {
        if (configMapRef) return get('ConfigMap', configMapRef.name).data;
        const { stringData = {} } = secrets.find(({ metadata }) => metadata.name === secretRef?.name) ?? {};
        return Object.fromEntries(Object.keys(stringData).map((key) => [key, REQUIRED_VARIABLES[key]]));
      }),
    ),
  });
  return { resources, ofKind, get, getJob, workload, podSpec, container, environment };
};

/** Whether the selector matches a pod with this name. */
const selects = ({ matchLabels = {}, matchExpressions = [] }: Selector, name: string): boolean =>
  Object.values(matchLabels).every((value) => value === name) &&
  matchExpressions.every(({ operator, values }) => values.includes(name) === (operator === 'In'));

const getPorts = (rules: Rule[]): number[] =>
  rules.flatMap(({ ports }) =>
    ports.flatMap(({ port, endPort = port }) =>
      Array.from({ length: endPort - port + 1 }, (_, offset) => port + offset),
    ),
  );

describe('Kubernetes manifests', () => {
  for (const file of BASE_FILES)
    it(`match the Kubernetes API types (base/${file})`, async () => {
      expect(await findApiErrors(readManifests(resolve(FOLDER, 'base', file)))).to.deep.equal([]);
    });

  it('are rejected with an unknown or a missing field', async () => {
    const resources = readBase();
    const gateway = resources.find(
      ({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'gateway',
    )?.spec as Workload | undefined;
    Object.assign(gateway?.template.spec ?? {}, { restartPolcy: 'Always' });
    const policy = resources.find(({ kind }) => kind === 'NetworkPolicy');
    delete policy?.spec?.['podSelector'];
    const errors = await findApiErrors(resources);
    expect(errors).to.have.length(2);
    expect(errors.join('\n')).to.include('restartPolcy').and.to.include('podSelector');
  });

  it('have an example for every secret that a pod reads, with placeholders that the processes reject', async () => {
    expect(await findApiErrors(secrets)).to.deep.equal([]);
    const pods = readBase()
      .filter(isWorkload)
      .map(({ spec }) => (spec as Workload).template.spec);
    const sources = pods.flatMap(({ containers }) => containers.flatMap(({ envFrom }) => envFrom));
    const names = new Set(sources.flatMap(({ secretRef }) => secretRef?.name ?? []));
    expect(secrets.map(({ metadata }) => metadata.name)).to.have.members([...names]);
    const values = Object.assign({}, ...secrets.map(({ stringData }) => stringData)) as Record<
      string,
      string
    >;
    for (const [name, value] of Object.entries(values)) expect(value, name).to.include('replace-me');
    const readAuthConfig = PROCESSES['auth-service'];
    expect(() => readAuthConfig?.({ ...REQUIRED_VARIABLES, ...values, NODE_ENV: 'production' })).to.throw(
      'placeholder',
    );
  });

  for (const overlay of OVERLAYS)
    describe(`overlay ${overlay}, rendered by kubectl${hasKustomize ? '' : ' (skipped: kubectl is not installed)'}`, () => {
      let rendered: ReturnType<typeof createOverlay>;
      before(function () {
        if (!hasKustomize) this.skip();
        rendered = createOverlay(overlay);
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
          expect(tag).to.match(/^\d+\.\d+\.\d+$/);
          expect(dockerfile).to.match(new RegExp(`^FROM \\S+ AS ${pod}$`, 'm'));
        }
      });

      for (const [name, readConfig] of Object.entries(PROCESSES))
        it(`sets all required variables of ${name} and no unknown ones`, () => {
          const environment = rendered.environment(name);
          expect(() => readConfig(environment)).not.to.throw();
          expect([...getVariableNames(readConfig)]).to.include.members(Object.keys(environment));
        });

      for (const [name, readConfig] of Object.entries(PROCESSES))
        it(`declares ports, probes and termination grace period of ${name}`, () => {
          const { podSpec, container, environment, workload } = rendered;
          const { ports, startupProbe, readinessProbe, livenessProbe } = container(name);
          const { apiPort, opsPort, drainSeconds, shutdownSeconds } = readConfig(environment(name));
          const http = apiPort ? [{ name: 'http', containerPort: apiPort.number }] : [];
          expect(ports).to.deep.equal([...http, { name: 'ops', containerPort: opsPort.number }]);
          expect(startupProbe?.httpGet).to.deep.equal({ path: '/healthz', port: 'ops' });
          expect(readinessProbe?.httpGet).to.deep.equal({ path: '/readyz', port: 'ops' });
          expect(livenessProbe?.httpGet).to.deep.equal({ path: '/healthz', port: 'ops' });
          const graceSeconds = podSpec(name).terminationGracePeriodSeconds;
          expect(graceSeconds).to.be.greaterThan(drainSeconds + shutdownSeconds + 1);
          const { annotations } = workload(name).template.metadata;
          expect(annotations?.['prometheus.io/port']).to.equal(String(opsPort.number));
        });

      it('connects each pod to Postgres with its own login, and only the migrations as the owner', () => {
        const { container } = rendered;
        const users = ['migrate', 'auth-service', 'admin-service', 'mailer-worker'].map((pod) => {
          const names = container(pod).envFrom.map(({ secretRef }) => secretRef?.name);
          const databaseSecrets = secrets.filter(
            ({ metadata, stringData }) => names.includes(metadata.name) && stringData?.['DATABASE_URL'],
          );
          expect(databaseSecrets.map(({ metadata }) => metadata.name)).to.deep.equal([`${pod}-database`]);
          return new URL(databaseSecrets[0]?.stringData?.['DATABASE_URL'] ?? '').username;
        });
        expect(users).to.deep.equal(['platform', 'auth_service', 'admin_service', 'mailer_worker']);
      });

      it('drains services for longer than DNS caches keep their address', () => {
        const { environment } = rendered;
        // CoreDNS caches for 30 s, and the gateway resolves every 5 s.
        for (const name of ['auth-service', 'admin-service'])
          expect(Number(environment(name)['DRAIN_SECONDS'])).to.be.greaterThan(35);
      });

      it('runs pods unprivileged, on a read-only file system, with resource requests and limits', () => {
        const { podSpec, container, get } = rendered;
        for (const pod of PODS) {
          expect(podSpec(pod).securityContext, pod).to.deep.equal({
            runAsNonRoot: true,
            seccompProfile: { type: 'RuntimeDefault' },
          });
          expect(container(pod).securityContext, pod).to.deep.equal({
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ['ALL'] },
          });
          const { requests, limits } = container(pod).resources;
          expect(Object.keys(requests), pod).to.deep.equal(['cpu', 'memory']);
          expect(Object.keys(limits), pod).to.deep.equal(['cpu', 'memory']);
          expect(podSpec(pod).serviceAccountName, pod).to.equal(pod);
          expect(podSpec(pod).automountServiceAccountToken, pod).to.equal(false);
          expect(get('ServiceAccount', pod), pod).to.have.property('automountServiceAccountToken', false);
        }
      });

      it('disables service links, which would set GATEWAY_PORT to an address', () => {
        const { podSpec, get } = rendered;
        expect(get('Service', 'gateway').metadata.name).to.equal('gateway');
        for (const pod of PODS) expect(podSpec(pod).enableServiceLinks, pod).to.equal(false);
      });

      it('scales with the load and tolerates the loss of a node', () => {
        const { get, workload, podSpec, ofKind } = rendered;
        const scaled = ofKind('HorizontalPodAutoscaler').map(({ metadata }) => metadata.name);
        expect(scaled).to.have.members(['gateway', 'auth-service', 'admin-service']);
        for (const name of Object.keys(PROCESSES)) {
          expect(get('PodDisruptionBudget', name).spec).to.deep.include({ maxUnavailable: 1 });
          expect(podSpec(name).topologySpreadConstraints, name).to.have.length(2);
          // `kubectl apply` would reset the replicas of an autoscaled deployment.
          expect(workload(name).replicas === undefined, name).to.equal(scaled.includes(name));
        }
        for (const name of scaled) {
          const target = { apiVersion: 'apps/v1', kind: 'Deployment', name };
          expect(get('HorizontalPodAutoscaler', name).spec?.['scaleTargetRef']).to.deep.equal(target);
        }
      });

      it('has headless Services for the upstreams and one address for the gateway', () => {
        const { get, environment, ofKind } = rendered;
        expect(ofKind('Service')).to.have.length(3);
        const getPort = (name: string) => PROCESSES[name]?.(environment(name)).apiPort?.number;
        for (const name of ['gateway', 'auth-service', 'admin-service']) {
          const { clusterIP, selector, ports } = get('Service', name).spec ?? {};
          expect(clusterIP, name).to.equal(name === 'gateway' ? undefined : 'None');
          expect(selector).to.deep.equal({ 'app.kubernetes.io/name': name });
          expect(ports).to.deep.equal([{ name: 'http', port: getPort(name), targetPort: 'http' }]);
        }
        const { AUTH_SERVICE_URLS, ADMIN_SERVICE_URLS } = environment('gateway');
        expect(AUTH_SERVICE_URLS).to.equal(`http://auth-service:${getPort('auth-service')}`);
        expect(ADMIN_SERVICE_URLS).to.equal(`http://admin-service:${getPort('admin-service')}`);
      });

      it('allows only the required network connections', () => {
        const { ofKind, get } = rendered;
        const policies = ofKind('NetworkPolicy').map(({ spec }) => spec as Policy);
        expect(get('NetworkPolicy', 'deny-all').spec).to.deep.equal({
          podSelector: {},
          policyTypes: ['Ingress', 'Egress'],
        });
        const getPolicies = (name: string) =>
          policies.filter(({ podSelector }) => selects(podSelector, name));
        const getIngressPorts = (name: string) =>
          getPorts(getPolicies(name).flatMap(({ ingress = [] }) => ingress));
        const getEgressPorts = (name: string) =>
          getPorts(getPolicies(name).flatMap(({ egress = [] }) => egress)).filter(
            (port) => port !== 53 && port !== 4318,
          );
        const ops = [9300, 9301, 9302, 9303];
        expect(getIngressPorts('gateway')).to.have.members([3000, ...ops]);
        expect(getIngressPorts('auth-service')).to.have.members([3001, ...ops]);
        expect(getIngressPorts('admin-service')).to.have.members([3002, ...ops]);
        expect(getIngressPorts('mailer-worker')).to.have.members(ops);
        expect(getIngressPorts('migrate')).to.deep.equal([]);
        expect(getEgressPorts('gateway')).to.have.members([3001, 3002, 6379]);
        expect(getEgressPorts('auth-service')).to.have.members([5432, 6379]);
        expect(getEgressPorts('admin-service')).to.have.members([5432, 6379]);
        expect(getEgressPorts('mailer-worker')).to.have.members([5432, 6379, 587]);
        expect(getEgressPorts('migrate')).to.deep.equal([5432]);
        const blocks = policies.flatMap(({ egress = [] }) => egress.flatMap(({ to = [] }) => to));
        for (const { ipBlock } of blocks)
          if (ipBlock)
            expect(ipBlock.cidr, 'overlays must replace the documentation addresses').not.to.match(
              /^192\.0\.2\./,
            );
      });

      it('exposes only the gateway, over TLS', () => {
        const { ofKind, get } = rendered;
        expect(ofKind('Ingress')).to.have.length(1);
        const { rules, tls } = get('Ingress', 'gateway').spec as {
          rules: { host: string; http: { paths: { backend: { service: object } }[] } }[];
          tls: { hosts: string[] }[];
        };
        expect(tls[0]?.hosts).to.deep.equal(rules.map(({ host }) => host));
        const backends = rules.flatMap(({ http }) => http.paths.map(({ backend }) => backend.service));
        expect(backends).to.deep.equal([{ name: 'gateway', port: { name: 'http' } }]);
      });

      it('has a migration Job for each version, because a Job cannot be changed', () => {
        const { getJob, container } = rendered;
        const { metadata, spec } = getJob();
        expect(metadata.name).to.equal(`migrate-${container('migrate').image.split(':').at(-1)}`);
        expect(spec).to.include({ ttlSecondsAfterFinished: 7 * 24 * 3_600 });
        expect(metadata.annotations).to.include({
          'argocd.argoproj.io/hook': 'Sync',
          'argocd.argoproj.io/hook-delete-policy': 'BeforeHookCreation',
          'kustomize.toolkit.fluxcd.io/force': 'enabled',
        });
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
        const waves = resources.filter(
          ({ metadata }) => metadata.annotations?.['argocd.argoproj.io/sync-wave'] === '-1',
        );
        expect(waves).to.have.members([...first, ...resources.filter(({ kind }) => kind === 'Namespace')]);
      });
    });
});
