import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { findApiFaults } from './deploy/kubernetes-api.ts';
import { kustomize, type Resource, readManifests } from './deploy/kustomize.ts';
import { namesReadBy, PROCESSES, SUFFICIENT } from './deploy/processes.ts';

const FOLDER = resolve(import.meta.dirname, '../deploy/kubernetes');
const OVERLAYS = ['staging', 'production'];
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
const dockerfile = readFileSync(resolve(FOLDER, '../../Dockerfile'), 'utf8');

/** What an overlay comes to, and the questions that are asked of it. */
const readOverlay = (name: string) => {
  const resources = kustomize(resolve(FOLDER, 'overlays', name));
  const ofKind = (kind: string): Resource[] => resources.filter((each) => each.kind === kind);
  const get = (kind: string, named: string): Resource => {
    const found = ofKind(kind).find(({ metadata }) => metadata.name === named);
    if (!found) throw new Error(`${name} has no ${kind} ${named}`);
    return found;
  };
  const workload = (pod: string) => get(pod === 'migrate' ? 'Job' : 'Deployment', pod).spec as Workload;
  const podSpec = (pod: string) => workload(pod).template.spec;
  const container = (pod: string): Container => {
    const [first] = podSpec(pod).containers;
    if (!first) throw new Error(`${pod} has no container`);
    return first;
  };
  /** What the process sees; a secret that is a placeholder in the example is replaced by one that is none. */
  const environment = (pod: string): Record<string, string> => ({
    HOST: '0.0.0.0',
    NODE_ENV: 'production',
    ...Object.assign(
      {},
      ...container(pod).envFrom.map(({ configMapRef, secretRef }) => {
        if (configMapRef) return get('ConfigMap', configMapRef.name).data;
        const { stringData = {} } = secrets.find(({ metadata }) => metadata.name === secretRef?.name) ?? {};
        return Object.fromEntries(Object.keys(stringData).map((key) => [key, SUFFICIENT[key]]));
      }),
    ),
  });
  return { resources, ofKind, get, workload, podSpec, container, environment };
};

/** Whether a pod that bears `name` as its name is meant. */
const selects = ({ matchLabels = {}, matchExpressions = [] }: Selector, name: string): boolean =>
  Object.values(matchLabels).every((value) => value === name) &&
  matchExpressions.every(({ operator, values }) => values.includes(name) === (operator === 'In'));

const portsOf = (rules: Rule[]): number[] =>
  rules.flatMap(({ ports }) =>
    ports.flatMap(({ port, endPort = port }) =>
      Array.from({ length: endPort - port + 1 }, (_, offset) => port + offset),
    ),
  );

describe('The manifests for Kubernetes', () => {
  it('When a field is none that the API knows, or one is missing, then that is found', async () => {
    const { resources, workload } = readOverlay('production');
    Object.assign(workload('gateway').template.spec, { restartPolcy: 'Always' });
    const policy = resources.find(({ kind }) => kind === 'NetworkPolicy');
    delete policy?.spec?.['podSelector'];
    const faults = await findApiFaults(resources);
    expect(faults).to.have.length(2);
    expect(faults.join('\n')).to.include('restartPolcy').and.to.include('podSelector');
  });

  it('When an overlay asks for what the reader here does not know, then it says so', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'overlay-'));
    await writeFile(join(folder, 'kustomization.yaml'), 'namePrefix: our-\n');
    expect(() => kustomize(folder)).to.throw('namePrefix is not read here');
    await rm(folder, { recursive: true });
  });

  it('show every secret that a pod reads, none of them real: the processes refuse them', async () => {
    expect(await findApiFaults(secrets)).to.deep.equal([]);
    const { ofKind } = readOverlay('production');
    const pods = [...ofKind('Deployment'), ...ofKind('Job')].map(
      ({ spec }) => (spec as Workload).template.spec,
    );
    const asked = pods.flatMap(({ containers }) => containers.flatMap(({ envFrom }) => envFrom));
    const names = new Set(asked.flatMap(({ secretRef }) => secretRef?.name ?? []));
    expect(secrets.map(({ metadata }) => metadata.name)).to.have.members([...names]);
    const values = Object.assign({}, ...secrets.map(({ stringData }) => stringData)) as Record<
      string,
      string
    >;
    for (const [name, value] of Object.entries(values)) expect(value, name).to.include('replace-me');
    const authConfig = PROCESSES['auth-service'];
    expect(() => authConfig?.({ ...SUFFICIENT, ...values, NODE_ENV: 'production' })).to.throw('placeholder');
  });

  for (const overlay of OVERLAYS)
    describe(`of ${overlay}`, () => {
      it('are as the API of Kubernetes says, to the last field', async () => {
        expect(await findApiFaults(readOverlay(overlay).resources)).to.deep.equal([]);
      });

      it('leave no image without a version, and name targets of the Dockerfile', () => {
        const { container } = readOverlay(overlay);
        for (const pod of PODS) {
          const [, target, tag] =
            /^registry\.example\.com\/marketplace\/([\w-]+):(.+)$/.exec(container(pod).image) ?? [];
          expect(target).to.equal(pod);
          expect(tag).to.match(/^\d+\.\d+\.\d+$/);
          expect(dockerfile).to.match(new RegExp(`^FROM \\S+ AS ${pod}$`, 'm'));
        }
      });

      for (const [name, readConfig] of Object.entries(PROCESSES))
        it(`start ${name} with what it needs and nothing that it does not read`, () => {
          const environment = readOverlay(overlay).environment(name);
          expect(() => readConfig(environment)).not.to.throw();
          expect([...namesReadBy(readConfig)]).to.include.members(Object.keys(environment));
        });

      for (const [name, readConfig] of Object.entries(PROCESSES))
        it(`give ${name} its ports, probes, and time to stop`, () => {
          const { podSpec, container, environment, workload } = readOverlay(overlay);
          const { ports, startupProbe, readinessProbe, livenessProbe } = container(name);
          const { apiPort, opsPort, drainSeconds, shutdownSeconds } = readConfig(environment(name));
          const http = apiPort ? [{ name: 'http', containerPort: apiPort.number }] : [];
          expect(ports).to.deep.equal([...http, { name: 'ops', containerPort: opsPort.number }]);
          expect(startupProbe?.httpGet).to.deep.equal({ path: '/healthz', port: 'ops' });
          expect(readinessProbe?.httpGet).to.deep.equal({ path: '/readyz', port: 'ops' });
          expect(livenessProbe?.httpGet).to.deep.equal({ path: '/healthz', port: 'ops' });
          const patience = podSpec(name).terminationGracePeriodSeconds;
          expect(patience).to.be.greaterThan(drainSeconds + shutdownSeconds + 1);
          const { annotations } = workload(name).template.metadata;
          expect(annotations?.['prometheus.io/port']).to.equal(String(opsPort.number));
        });

      it('connect each pod to Postgres with its own login, and only the migrations as the owner', () => {
        const { container } = readOverlay(overlay);
        const users = ['migrate', 'auth-service', 'admin-service', 'mailer-worker'].map((pod) => {
          const names = container(pod).envFrom.map(({ secretRef }) => secretRef?.name);
          const own = secrets.filter(
            ({ metadata, stringData }) => names.includes(metadata.name) && stringData?.['DATABASE_URL'],
          );
          expect(own.map(({ metadata }) => metadata.name)).to.deep.equal([`${pod}-database`]);
          return new URL(own[0]?.stringData?.['DATABASE_URL'] ?? '').username;
        });
        expect(users).to.deep.equal(['platform', 'auth_service', 'admin_service', 'mailer_worker']);
      });

      it('keep a service in its drain longer than its address is remembered', () => {
        const { environment } = readOverlay(overlay);
        // CoreDNS caches for 30 s, the gateway looks up every 5 s.
        for (const name of ['auth-service', 'admin-service'])
          expect(Number(environment(name)['DRAIN_SECONDS'])).to.be.greaterThan(35);
      });

      it('run every pod without rights, on a read-only file system, with its share of the node', () => {
        const { podSpec, container, get } = readOverlay(overlay);
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

      it('keep the links of Services out of the variables, or GATEWAY_PORT would be an address', () => {
        const { podSpec, get } = readOverlay(overlay);
        expect(get('Service', 'gateway').metadata.name).to.equal('gateway');
        for (const pod of PODS) expect(podSpec(pod).enableServiceLinks, pod).to.equal(false);
      });

      it('grow with the load and survive the loss of a node', () => {
        const { get, workload, podSpec, ofKind } = readOverlay(overlay);
        const scaled = ofKind('HorizontalPodAutoscaler').map(({ metadata }) => metadata.name);
        expect(scaled).to.have.members(['gateway', 'auth-service', 'admin-service']);
        for (const name of Object.keys(PROCESSES)) {
          expect(get('PodDisruptionBudget', name).spec).to.deep.include({ maxUnavailable: 1 });
          expect(podSpec(name).topologySpreadConstraints, name).to.have.length(2);
          // Who is scaled by load must not be set back by every apply.
          expect(workload(name).replicas === undefined, name).to.equal(scaled.includes(name));
        }
        for (const name of scaled) {
          const target = { apiVersion: 'apps/v1', kind: 'Deployment', name };
          expect(get('HorizontalPodAutoscaler', name).spec?.['scaleTargetRef']).to.deep.equal(target);
        }
      });

      it('find each service by its name at each of its pods, and the gateway at one address', () => {
        const { get, environment, ofKind } = readOverlay(overlay);
        expect(ofKind('Service')).to.have.length(3);
        const portOf = (name: string) => PROCESSES[name]?.(environment(name)).apiPort?.number;
        for (const name of ['gateway', 'auth-service', 'admin-service']) {
          const { clusterIP, selector, ports } = get('Service', name).spec ?? {};
          expect(clusterIP, name).to.equal(name === 'gateway' ? undefined : 'None');
          expect(selector).to.deep.equal({ 'app.kubernetes.io/name': name });
          expect(ports).to.deep.equal([{ name: 'http', port: portOf(name), targetPort: 'http' }]);
        }
        const { AUTH_SERVICE_URLS, ADMIN_SERVICE_URLS } = environment('gateway');
        expect(AUTH_SERVICE_URLS).to.equal(`http://auth-service:${portOf('auth-service')}`);
        expect(ADMIN_SERVICE_URLS).to.equal(`http://admin-service:${portOf('admin-service')}`);
      });

      it('let each pod reach what it needs and be reached by who needs it, and refuse the rest', () => {
        const { ofKind, get } = readOverlay(overlay);
        const policies = ofKind('NetworkPolicy').map(({ spec }) => spec as Policy);
        expect(get('NetworkPolicy', 'deny-all').spec).to.deep.equal({
          podSelector: {},
          policyTypes: ['Ingress', 'Egress'],
        });
        const of = (name: string) => policies.filter(({ podSelector }) => selects(podSelector, name));
        const inward = (name: string) => portsOf(of(name).flatMap(({ ingress = [] }) => ingress));
        const outward = (name: string) =>
          portsOf(of(name).flatMap(({ egress = [] }) => egress)).filter(
            (port) => port !== 53 && port !== 4318,
          );
        const ops = [9300, 9301, 9302, 9303];
        expect(inward('gateway')).to.have.members([3000, ...ops]);
        expect(inward('auth-service')).to.have.members([3001, ...ops]);
        expect(inward('admin-service')).to.have.members([3002, ...ops]);
        expect(inward('mailer-worker')).to.have.members(ops);
        expect(inward('migrate')).to.deep.equal([]);
        expect(outward('gateway')).to.have.members([3001, 3002, 6379]);
        expect(outward('auth-service')).to.have.members([5432, 6379]);
        expect(outward('admin-service')).to.have.members([5432, 6379]);
        expect(outward('mailer-worker')).to.have.members([5432, 6379, 587]);
        expect(outward('migrate')).to.deep.equal([5432]);
        const blocks = policies.flatMap(({ egress = [] }) => egress.flatMap(({ to = [] }) => to));
        for (const { ipBlock } of blocks)
          if (ipBlock) expect(ipBlock.cidr, 'an overlay says where').not.to.match(/^192\.0\.2\./);
      });

      it('open nothing but the gateway to the outside, over TLS', () => {
        const { ofKind, get } = readOverlay(overlay);
        expect(ofKind('Ingress')).to.have.length(1);
        const { rules, tls } = get('Ingress', 'gateway').spec as {
          rules: { host: string; http: { paths: { backend: { service: object } }[] } }[];
          tls: { hosts: string[] }[];
        };
        expect(tls[0]?.hosts).to.deep.equal(rules.map(({ host }) => host));
        const backends = rules.flatMap(({ http }) => http.paths.map(({ backend }) => backend.service));
        expect(backends).to.deep.equal([{ name: 'gateway', port: { name: 'http' } }]);
      });

      it('can bring the schema up to date before anything else is there', () => {
        const { resources } = readOverlay(overlay);
        const first = resources.filter(
          ({ metadata }) => metadata.labels?.['app.kubernetes.io/component'] === 'migration',
        );
        expect(first.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).to.have.members([
          ...['ServiceAccount migrate', 'Job migrate'],
          ...['NetworkPolicy deny-all', 'NetworkPolicy look-up-names', 'NetworkPolicy reach-postgres'],
        ]);
      });
    });
});
