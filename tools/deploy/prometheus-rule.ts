import { readdirSync, readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { parser } from '@prometheus-io/lezer-promql';
import { Document, isMap, isScalar, parse, parseDocument, visit } from 'yaml';

const DEPLOY = resolve(import.meta.dirname, '../../deploy');
/** The component that needs a file of rules, the name of the file in its overlays, and of the resource. */
const RULE_FILES = [
  { component: 'monitoring', source: 'alerts.yaml', file: 'prometheus-rule.yaml', name: 'marketplace' },
  { component: 'postgres-monitoring', source: 'postgres.yaml', file: 'postgres-rule.yaml', name: 'postgres' },
];
const OVERLAYS = resolve(DEPLOY, 'kubernetes/overlays');

type Insertion = { at: number; text: string };

/** Finds where each vector selector of a PromQL expression needs the matcher. */
const findInsertions = (expression: string, matcher: string): Insertion[] => {
  const insertions: Insertion[] = [];
  parser.parse(expression).iterate({
    enter: ({ type, from, node }) => {
      if (type.isError) throw new Error(`No PromQL at "${expression.slice(from)}"`);
      if (type.name !== 'VectorSelector') return;
      const matchers = node.getChild('LabelMatchers');
      if (!matchers) insertions.push({ at: node.to, text: `{${matcher}}` });
      else insertions.push({ at: matchers.from + 1, text: matchers.firstChild ? `${matcher},` : matcher });
    },
  });
  return insertions;
};

/** Adds a matcher to every vector selector of a PromQL expression. @throws Error on invalid PromQL */
export const addMatcher = (expression: string, matcher: string): string =>
  findInsertions(expression, matcher)
    .toSorted((left, right) => right.at - left.at)
    .reduce(
      (text, insertion) => text.slice(0, insertion.at) + insertion.text + text.slice(insertion.at),
      expression,
    );

const toHeader = (
  source: string,
) => ` Generated from deploy/prometheus/${source} by \`npm run generate\`: change that file, not this one. Every selector has the namespace,
 because the Prometheus of several namespaces evaluates the rules of each. The alerts have it too, by which Alertmanager routes them.`;

/**
 * Prints the PrometheusRule with the rules of `alerts` (the text of the file `source`), limited to the targets
 * of a namespace.
 */
export const printPrometheusRule = (
  alerts: string,
  namespace: string,
  { source, name }: Pick<(typeof RULE_FILES)[number], 'source' | 'name'> = {
    source: 'alerts.yaml',
    name: 'marketplace',
  },
): string => {
  const rules = parseDocument(alerts);
  if (rules.errors[0]) throw rules.errors[0];
  visit(rules, {
    Pair: (_, { key, value }) => {
      if (!isScalar(key)) return;
      if (key.value === 'expr' && isScalar<string>(value))
        value.value = addMatcher(value.value, `namespace="${namespace}"`);
      if (key.value === 'labels' && isMap(value))
        for (const label of ['namespace', 'environment']) value.set(label, namespace);
    },
  });
  const resource = new Document({
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: { name, labels: { 'app.kubernetes.io/part-of': 'marketplace' } },
  });
  resource.commentBefore = toHeader(source);
  if (isMap(resource.contents)) resource.set('spec', rules.contents);
  return resource.toString({ lineWidth: 0 });
};

type Kustomization = { namespace?: string; components?: string[] };

/** The rules files of each overlay that uses their component, with the content that they should have. */
export const printRuleFiles = (): { file: string; content: string }[] =>
  readdirSync(OVERLAYS).flatMap((overlay) => {
    const kustomization = readFileSync(resolve(OVERLAYS, overlay, 'kustomization.yaml'), 'utf8');
    const { namespace, components = [] }: Kustomization = parse(kustomization);
    const used = components.map((component) => basename(component));
    return RULE_FILES.filter(({ component }) => used.includes(component)).map(({ file, ...rules }) => {
      if (!namespace) throw new Error(`Overlay ${overlay} must set its namespace in its kustomization`);
      const alerts = readFileSync(resolve(DEPLOY, 'prometheus', rules.source), 'utf8');
      return {
        file: resolve(OVERLAYS, overlay, file),
        content: printPrometheusRule(alerts, namespace, rules),
      };
    });
  });

/** The dashboard as a ConfigMap, which the sidecar of Grafana loads by its label. */
export const printDashboard = (): { file: string; content: string } => {
  const dashboard = JSON.parse(readFileSync(resolve(DEPLOY, 'grafana/dashboard.json'), 'utf8'));
  const resource = new Document({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: 'marketplace-dashboard',
      labels: { 'app.kubernetes.io/part-of': 'marketplace', grafana_dashboard: '1' },
    },
    data: { 'marketplace.json': JSON.stringify(dashboard) },
  });
  resource.commentBefore =
    ' Generated from deploy/grafana/dashboard.json by `npm run generate`: change that file, not this one.';
  const file = resolve(DEPLOY, 'kubernetes/components/monitoring/dashboard.yaml');
  return { file, content: resource.toString({ lineWidth: 0 }) };
};
