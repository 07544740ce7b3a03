import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { addMatcher, printPrometheusRule } from './prometheus-rule.ts';

type Rule = { alert?: string; expr: string; labels: object; annotations?: object };
type Rules = { groups: { name: string; rules: Rule[] }[] };

const alerts = readFileSync(resolve(import.meta.dirname, '../../deploy/prometheus/alerts.yaml'), 'utf8');

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
