import { expect } from 'chai';
import { MIGRATION_CONNECTIONS } from '../migrate/src/migrate.ts';
import { computeBudget, countPods, findExcess, printBudget } from './deploy/connection-budget.ts';
import { hasKubectl, type Resource } from './deploy/kubernetes-manifests.ts';
import { createOverlay, OVERLAYS, readOverlay, type Workload } from './deploy/kubernetes-overlay.ts';
import { PROCESSES, REQUIRED_VARIABLES } from './deploy/processes.ts';

const hasKustomize = hasKubectl();

const toWorkload = (minReadySeconds: number, terminationGracePeriodSeconds: number): Workload => {
  const pod = { terminationGracePeriodSeconds } as Workload['template']['spec'];
  return {
    minReadySeconds,
    strategy: { rollingUpdate: { maxSurge: 1 } },
    template: { spec: pod, metadata: { labels: {} } },
  };
};

describe('connection budget', () => {
  it('counts the pods that drain during a rollout', () => {
    expect(
      countPods(12, toWorkload(30, 65)),
      'one surge pod, and 65 s of draining in steps of 31 s',
    ).to.equal(16);
    expect(countPods(12, toWorkload(0, 65)), 'all of the old release').to.equal(24);
    expect(countPods(1, toWorkload(30, 30))).to.equal(2);
  });

  it('knows the connections of each process', () => {
    // test/system/metrics.test.ts compares the same numbers with the running processes.
    const connections = Object.entries(PROCESSES).map(
      ([, read]) => read(REQUIRED_VARIABLES).primaryConnections,
    );
    expect(connections).to.deep.equal([undefined, 10, 20, 8]);
    expect(MIGRATION_CONNECTIONS).to.equal(1);
  });

  describe(`of the overlays${hasKustomize ? '' : ' (skipped: kubectl is not installed)'}`, () => {
    before(function () {
      if (!hasKustomize) this.skip();
    });

    type Get = (kind: string, name: string) => Resource;
    const setPoolerParameters = (get: Get, parameters: object): void => {
      const pgbouncer = get('Pooler', 'postgres-pooler').spec?.['pgbouncer'] as
        | { parameters: object }
        | undefined;
      Object.assign(pgbouncer?.parameters ?? {}, parameters);
    };

    /** The budget of an overlay after a change of its resources. */
    const compute = (name: string, change: (get: Get) => void) => {
      const overlay = readOverlay(name);
      change(overlay.get);
      return computeBudget(createOverlay(name, overlay.resources));
    };

    for (const name of OVERLAYS)
      it(`fits ${name}`, () => {
        expect(findExcess(name, computeBudget(readOverlay(name)))).to.deep.equal([]);
      });

    it('adds up pods, pools and reserved connections', () => {
      const { rows, reserved, total } = computeBudget(readOverlay('production'));
      expect(rows.map((row) => row.name)).to.deep.equal([
        'auth-service',
        'admin-service',
        'mailer-worker',
        'migrate',
      ]);
      const sums = rows.map(({ pods, connections }) => pods * connections);
      expect(sums.reduce((left, right) => left + right, 0) + reserved).to.equal(total);
    });

    it('fails with larger pools of PgBouncer than the cluster has connections for', () => {
      const budget = compute('production-operators', (get) => {
        setPoolerParameters(get, { default_pool_size: '20' });
      });
      expect(findExcess('production-operators', budget).join()).to.include('exceed max_connections (200)');
    });

    it('fails with more clients than one PgBouncer accepts', () => {
      const budget = compute('production-operators', (get) => {
        setPoolerParameters(get, { max_client_conn: '100' });
      });
      expect(findExcess('production-operators', budget).join()).to.include('exceed max_client_conn (100)');
    });

    it('does not count the clients of PgBouncer as connections to PostgreSQL', () => {
      const text = printBudget('production-operators', computeBudget(readOverlay('production-operators')));
      const [server = '', pooler = ''] = text.split('connections to postgres-pooler');
      expect(server).to.include('postgres-pooler').and.not.to.include('auth-service');
      expect(pooler).to.include('auth-service').and.not.to.include('reserved');
    });
  });
});
