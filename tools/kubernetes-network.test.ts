import { expect } from 'chai';
import { hasKubectl } from './deploy/kubernetes-manifests.ts';
import { OVERLAYS, type Overlay, readOverlay } from './deploy/kubernetes-overlay.ts';

type Selector = {
  matchLabels?: Record<string, string>;
  matchExpressions?: { key: string; operator: string; values: string[] }[];
};
type Peer = { podSelector?: Selector; namespaceSelector?: Selector; ipBlock?: { cidr: string } };
type Rule = { from?: Peer[]; to?: Peer[]; ports: { port: number; endPort?: number }[] };
type Policy = { podSelector: Selector; policyTypes: string[]; ingress?: Rule[]; egress?: Rule[] };

const hasKustomize = hasKubectl();

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

describe('Kubernetes network', () => {
  for (const overlay of OVERLAYS)
    describe(`overlay ${overlay}${hasKustomize ? '' : ' (skipped: kubectl is not installed)'}`, () => {
      let rendered: Overlay;
      before(function () {
        if (!hasKustomize) this.skip();
        rendered = readOverlay(overlay);
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
        const redis = ofKind('StatefulSet').length > 0 ? [6379, 26379] : [6379];
        expect(getIngressPorts('gateway')).to.have.members([3000, ...ops]);
        const hasOthers = 'SERVICES' in rendered.environment('gateway');
        const withOther = (own: number, other = own) => (hasOthers ? [own, other] : [own]);
        expect(getIngressPorts('auth-service')).to.have.members([...withOther(3001), ...ops]);
        expect(getIngressPorts('admin-service')).to.have.members([...withOther(3002), ...ops]);
        expect(getIngressPorts('mailer-worker')).to.have.members(ops);
        expect(getIngressPorts('migrate')).to.deep.equal([]);
        expect(getEgressPorts('gateway')).to.have.members([3001, ...withOther(3002, 4000), ...redis]);
        const outbound = ['BREACHED_PASSWORDS_URL', 'OIDC_PROVIDERS'].filter(
          (name) => name in rendered.environment('auth-service'),
        );
        expect(getEgressPorts('auth-service')).to.have.members([5432, ...redis, ...outbound.map(() => 443)]);
        expect(getEgressPorts('admin-service')).to.have.members([5432, ...redis]);
        expect(getEgressPorts('mailer-worker')).to.have.members([5432, ...redis, 587]);
        expect(getEgressPorts('migrate')).to.have.members([5432, ...redis]);
      });

      it('exposes only the gateway, over TLS, with the paths that check:deployed needs', () => {
        const { ofKind, get } = rendered;
        expect(ofKind('Ingress')).to.have.length(1);
        const { rules, tls } = get('Ingress', 'gateway').spec as {
          rules: { host: string; http: { paths: { path: string; backend: { service: object } }[] } }[];
          tls: { hosts: string[] }[];
        };
        expect(tls[0]?.hosts).to.deep.equal(rules.map(({ host }) => host));
        const paths = rules.flatMap(({ http }) => http.paths);
        expect(paths.map(({ path }) => path)).to.include.members([
          '/api',
          '/openapi.json',
          '/healthz',
          '/readyz',
        ]);
        const backends = paths.map(({ backend }) => backend.service);
        const gateway = { name: 'gateway', port: { name: 'http' } };
        expect(backends)
          .to.deep.equal(backends.map(() => gateway))
          .and.to.include.deep.members([gateway]);
      });
    });
});
