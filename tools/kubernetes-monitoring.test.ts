import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { hasKubectl, type Resource, readManifests } from './deploy/kubernetes-manifests.ts';
import { KUBERNETES, readOverlay, SECRETS } from './deploy/kubernetes-overlay.ts';
import { ALL_PROCESSES } from './deploy/processes.ts';
import { addMatcher, printPrometheusRule } from './deploy/prometheus-rule.ts';

type Rule = { alert?: string; expr: string; labels: object; annotations?: object };
type Rules = { groups: { name: string; rules: Rule[] }[] };

const alerts = readFileSync(resolve(KUBERNETES, '../prometheus/alerts.yaml'), 'utf8');
const hasKustomize = hasKubectl();

describe('PrometheusRule', () => {
  const MATCHER = 'namespace="shop"';
  const EXPRESSIONS: [string, string][] = [
    ['up', 'up{namespace="shop"}'],
    ['up{}', 'up{namespace="shop"}'],
    ['up{service="a"} == 0', 'up{namespace="shop",service="a"} == 0'],
    ['{__name__="up"}', '{namespace="shop",__name__="up"}'],
    ['absent(a) or absent(b{c="d"})', 'absent(a{namespace="shop"}) or absent(b{namespace="shop",c="d"})'],
    ['sum by (le) (rate(a[5m] offset 1h))', 'sum by (le) (rate(a{namespace="shop"}[5m] offset 1h))'],
    ['a{b="up{c}"} / on (d) e', 'a{namespace="shop",b="up{c}"} / on (d) e{namespace="shop"}'],
    ['time() > 26 * 3600', 'time() > 26 * 3600'],
  ];
  for (const [expression, expected] of EXPRESSIONS)
    it(`limits ${expression} to a namespace`, () => {
      expect(addMatcher(expression, MATCHER)).to.equal(expected);
    });

  it('contains every rule of alerts.yaml with its annotations, and the namespace as a label', () => {
    const { spec } = parse(printPrometheusRule(alerts, 'shop')) as { spec: Rules };
    const place = { namespace: 'shop', environment: 'shop' };
    const compare = ({ groups }: Rules, added: object) =>
      groups.map(({ name, rules }) => ({
        name,
        rules: rules.map(({ expr: _, labels, ...rule }) => ({ ...rule, labels: { ...labels, ...added } })),
      }));
    expect(compare(spec, {})).to.deep.equal(compare(parse(alerts), place));
    for (const { alert, expr } of spec.groups.flatMap(({ rules }) => rules))
      if (alert !== 'Watchdog') expect(expr).to.include(MATCHER);
  });
});

describe('OpenTelemetry Collector', () => {
  type Pipeline = Record<'receivers' | 'processors' | 'exporters', string[]>;

  it('has pipelines of components that it defines, and uses each of them', () => {
    const file = resolve(KUBERNETES, '../opentelemetry/collector.yaml');
    const { service, ...defined } = parse(readFileSync(file, 'utf8')) as Record<keyof Pipeline, object> & {
      service: { pipelines: Record<string, Pipeline> };
    };
    const pipelines = Object.values(service.pipelines);
    for (const part of ['receivers', 'processors', 'exporters'] as const)
      expect([...new Set(pipelines.flatMap((pipeline) => pipeline[part]))], part).to.have.members(
        Object.keys(defined[part]),
      );
  });

  it('reads the paths of log files, which its operator `container` needs, and continues after a restart', () => {
    const file = resolve(KUBERNETES, '../opentelemetry/collector.yaml');
    const { receivers, extensions, service } = parse(readFileSync(file, 'utf8')) as {
      receivers: { filelog: { storage: string } };
      extensions: object;
      service: { extensions: string[] };
    };
    const { filelog } = receivers;
    expect(filelog).to.deep.include({ include_file_path: true });
    expect(service.extensions).to.include(filelog.storage).and.to.have.members(Object.keys(extensions));
  });
});

describe('AlertmanagerConfig', () => {
  it('names keys that the example Secrets have', () => {
    type Receiver = { webhookConfigs?: { urlSecret: { name: string; key: string } }[] };
    const [config] = readManifests(resolve(KUBERNETES, 'components/alertmanager/alertmanager-config.yaml'));
    const { receivers = [] } = (config?.spec ?? {}) as { receivers?: Receiver[] };
    expect(receivers).not.to.be.empty;
    for (const { urlSecret } of receivers.flatMap(({ webhookConfigs = [] }) => webhookConfigs)) {
      const secret = SECRETS.find(({ metadata }) => metadata.name === urlSecret.name);
      expect(secret?.stringData, urlSecret.name).to.include.keys(urlSecret.key);
    }
  });
});

describe('External Secrets', () => {
  it('create every Secret, with its type and labels, and that of the registry', () => {
    type External = {
      metadata: { name: string };
      spec: {
        target?: { template: { type?: string; metadata?: { labels?: object } } };
        data?: { secretKey: string; remoteRef: { property?: string } }[];
      };
    };
    const externals = readManifests(resolve(KUBERNETES, 'external-secrets.example.yaml')) as External[];
    expect(externals.map(({ metadata }) => metadata.name)).to.have.members([
      ...SECRETS.map(({ metadata }) => metadata.name),
      'registry',
    ]);
    // Each entry has a field for each key.
    for (const { secretKey, remoteRef } of externals.flatMap(({ spec }) => spec.data ?? []))
      expect(remoteRef.property).to.equal(secretKey);
    for (const secret of SECRETS as (Resource & { type?: string })[]) {
      const template = externals.find(({ metadata }) => metadata.name === secret.metadata.name)?.spec.target
        ?.template;
      expect(
        { type: template?.type, labels: template?.metadata?.labels },
        secret.metadata.name,
      ).to.deep.equal({
        type: secret.type,
        labels: secret.metadata.labels,
      });
    }
  });
});

describe(`PodMonitor${hasKustomize ? '' : ' (skipped: kubectl is not installed)'}`, () => {
  before(function () {
    if (!hasKustomize) this.skip();
  });

  it('selects the pods of all processes by label and port', () => {
    const { get, workload, container } = readOverlay('production-operators');
    const { selector, podMetricsEndpoints } = get('PodMonitor', 'marketplace').spec as {
      selector: { matchExpressions: { key: string; values: string[] }[] };
      podMetricsEndpoints: { port: string; path: string; honorLabels: boolean; relabelings: object[] }[];
    };
    const [{ key, values } = { key: '', values: [] }] = selector.matchExpressions;
    expect(values).to.have.members(Object.keys(ALL_PROCESSES));
    for (const name of values) {
      expect(workload(name).template.metadata.labels[key]).to.equal(name);
      expect(container(name).ports?.map((port) => port.name)).to.include(podMetricsEndpoints[0]?.port);
    }
    expect(podMetricsEndpoints[0]).to.deep.include({ path: '/metrics', honorLabels: true });
    expect(podMetricsEndpoints[0]?.relabelings).to.deep.equal([
      {
        action: 'replace',
        sourceLabels: ['__meta_kubernetes_pod_label_app_kubernetes_io_name'],
        targetLabel: 'service',
      },
      { action: 'replace', sourceLabels: ['__meta_kubernetes_namespace'], targetLabel: 'environment' },
    ]);
  });
});
