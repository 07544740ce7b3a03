import { expect } from 'chai';
import { findApiErrors } from './deploy/kubernetes-api.ts';
import { hasKubectl } from './deploy/kubernetes-manifests.ts';
import {
  getSecretNames,
  OVERLAYS,
  type Overlay,
  readOverlay,
  SECRETS,
  type Workload,
} from './deploy/kubernetes-overlay.ts';
import { getVariableNames, PROCESSES } from './deploy/processes.ts';

const hasKustomize = hasKubectl();
const WORKLOADS = ['Deployment', 'StatefulSet', 'Job'];
const isWorkload = (kind: string): boolean => WORKLOADS.includes(kind);
const PODS = [...Object.keys(PROCESSES), 'migrate'];

describe('Kubernetes manifests', () => {
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
    });
});
