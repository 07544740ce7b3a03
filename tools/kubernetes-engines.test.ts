import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect } from 'chai';
import { GROUP_ROLES } from '../migrate/src/rights.ts';
import { SESSION_SETTINGS } from '../shared/src/db/knex.ts';
import { hasKubectl } from './deploy/kubernetes-manifests.ts';
import {
  getSecretNames,
  KUBERNETES,
  type Overlay,
  readOverlay,
  SECRETS,
  type Workload,
} from './deploy/kubernetes-overlay.ts';

type Cluster = {
  bootstrap: { initdb: { postInitSQL: string[] } };
  managed: { roles: { name: string; inRoles: string[]; passwordSecret: { name: string } }[] };
  certificates: { serverAltDNSNames: string[] };
};
type Pooler = { pgbouncer: { poolMode: string; parameters: Record<string, string> } };

const LOGINS: [pod: string, login: string, groupRole: string][] = [
  ['auth-service', 'auth_service', GROUP_ROLES.auth],
  ['admin-service', 'admin_service', GROUP_ROLES.admin],
  ['mailer-worker', 'mailer_worker', GROUP_ROLES.worker],
];
const hasKustomize = hasKubectl();

describe(`engines of production-operators${hasKustomize ? '' : ' (skipped: kubectl is not installed)'}`, () => {
  let overlay: Overlay;
  let cluster: Cluster;
  let pooler: Pooler;
  before(function () {
    if (!hasKustomize) this.skip();
    overlay = readOverlay('production-operators');
    cluster = overlay.get('Cluster', 'postgres').spec as Cluster;
    pooler = overlay.get('Pooler', 'postgres-pooler').spec as Pooler;
  });
  const urlOf = (pod: string) => new URL(overlay.environment(pod)['DATABASE_URL'] ?? '');

  for (const [pod, login, groupRole] of LOGINS)
    it(`creates the login of ${pod} with the settings of its pool, and connects it through PgBouncer`, () => {
      const { postInitSQL } = cluster.bootstrap.initdb;
      const milliseconds = Object.entries(SESSION_SETTINGS);
      expect(postInitSQL).to.include.members([
        `create role ${groupRole}`,
        `create role ${login} login in role ${groupRole}`,
        ...milliseconds.map(([name, value]) => `alter role ${login} set ${name} = '${value / 1_000}s'`),
      ]);
      const idle = postInitSQL.find((sql) => sql.startsWith(`alter role ${login} set idle_session_timeout`));
      // Otherwise PgBouncer would use connections that the server has closed.
      expect(Number(/'(\d+)s'$/.exec(idle ?? '')?.[1])).to.be.greaterThan(
        Number(pooler.pgbouncer.parameters['server_idle_timeout']),
      );
      const plans = `alter role ${login} set plan_cache_mode = force_generic_plan`;
      expect(postInitSQL.includes(plans), 'only auth-service has no searches').to.equal(
        pod === 'auth-service',
      );
      const role = cluster.managed.roles.find(({ name }) => name === login);
      expect(role?.inRoles).to.deep.equal([groupRole]);
      expect(getSecretNames(overlay.container(pod))).to.include(role?.passwordSecret.name);
      const secret = SECRETS.find(({ metadata }) => metadata.name === role?.passwordSecret.name);
      expect(secret?.stringData).to.include({ username: login });
      expect(urlOf(pod)).to.include({ username: login, hostname: 'postgres-pooler' });
      expect(urlOf(pod).searchParams.get('sslmode')).to.equal('verify-full');
    });

  it('connects the migrations to the primary: PgBouncer would lose their session lock', () => {
    expect(urlOf('migrate')).to.include({ username: 'platform', hostname: 'postgres-rw' });
  });

  it('runs PgBouncer with the settings that the pools need', () => {
    const { poolMode, parameters } = pooler.pgbouncer;
    expect(poolMode).to.equal('transaction');
    expect(parameters['ignore_startup_parameters']?.split(',')).to.have.members(
      Object.keys(SESSION_SETTINGS),
    );
    expect(Number(parameters['max_prepared_statements'])).to.be.greaterThan(100);
    expect(cluster.certificates.serverAltDNSNames).to.include('postgres-pooler');
  });

  it('connects every process to all Sentinels by name', () => {
    const { replicas } = overlay.get('StatefulSet', 'valkey-sentinel').spec ?? {};
    const names = Array.from(
      { length: Number(replicas) },
      (_, ordinal) => `valkey-sentinel-${ordinal}.valkey-sentinel`,
    );
    for (const pod of ['gateway', 'auth-service', 'admin-service', 'mailer-worker'])
      expect(overlay.environment(pod)['REDIS_URL'], pod).to.include(`@${names.join(',')}/marketplace?`);
  });

  it('labels the engines with what they need, so that they can be applied first', () => {
    const first = overlay.resources
      .filter(({ metadata }) => metadata.labels?.['app.kubernetes.io/component'] === 'engine')
      .map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(first).to.include.members([
      'Cluster postgres',
      'Pooler postgres-pooler',
      'ObjectStore postgres-backup',
    ]);
    for (const { metadata, spec } of overlay.ofKind('StatefulSet')) {
      const { serviceAccountName, volumes = [] } = (spec as Workload).template.spec;
      const configMaps = volumes.flatMap(({ configMap }) => (configMap ? `ConfigMap ${configMap.name}` : []));
      expect(configMaps).to.have.length(1);
      expect(first).to.include.members([
        ...['StatefulSet', 'Service', 'PodDisruptionBudget'].map((kind) => `${kind} ${metadata.name}`),
        `ServiceAccount ${serviceAccountName}`,
        ...configMaps,
      ]);
    }
  });

  it('recovers a second cluster of one instance, and gives it the network of the first one', () => {
    const page = readFileSync(resolve(KUBERNETES, '../../docs/backup.md'), 'utf8');
    const [, name = '', filter] = /^recover (\S+) .*\| jq '(.+)' \| kubectl create/m.exec(page) ?? [];
    // CloudNativePG rejects a cluster whose commits wait for as many standbys as it has instances.
    expect(filter).to.equal('.spec.instances = 1 | del(.spec.postgresql.synchronous)');
    for (const policy of ['postgres', 'postgres-reach-kubernetes-api', 'postgres-reach-backup'])
      expect(overlay.get('NetworkPolicy', policy).spec?.['podSelector'], policy).to.deep.equal({
        matchExpressions: [{ key: 'cnpg.io/cluster', operator: 'In', values: ['postgres', name] }],
      });
  });

  it('gives Valkey twice the memory of its data', () => {
    const settings = readFileSync(resolve(KUBERNETES, 'components/valkey/valkey.conf'), 'utf8');
    expect(settings).to.include('maxmemory-policy noeviction').and.to.include('min-replicas-to-write 1');
    const [, maxMemory] = /^maxmemory (\d+)mb$/m.exec(settings) ?? [];
    const { template } = overlay.get('StatefulSet', 'valkey').spec as Workload;
    const limit = Number.parseInt(template.spec.containers[0]?.resources.limits['memory'] ?? '', 10);
    expect(limit).to.be.greaterThan(2 * Number(maxMemory));
  });
});
