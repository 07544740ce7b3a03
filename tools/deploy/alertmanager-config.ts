import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Document, parse } from 'yaml';

const DEPLOY = resolve(import.meta.dirname, '../../deploy');

type Route = {
  receiver: string;
  matchers?: string[];
  group_by?: string[];
  group_wait?: string;
  group_interval?: string;
  repeat_interval: string;
  routes?: Route[];
};

type Configuration = {
  route: Route;
  receivers: { name: string }[];
  inhibit_rules: { source_matchers: string[]; target_matchers: string[]; equal: string[] }[];
};

const toMatcher = (text: string) => {
  const [, name, matchType, value] = /^(\w+)(=~|!~|!=|=)"(.*)"$/.exec(text) ?? [];
  if (name === undefined) throw new Error(`No matcher of Alertmanager: ${text}`);
  return { name, matchType, value };
};

const toRoute = ({ matchers, group_by, group_wait, group_interval, routes, ...route }: Route): object => ({
  receiver: route.receiver,
  ...(matchers && { matchers: matchers.map(toMatcher) }),
  ...(group_by && { groupBy: group_by }),
  ...(group_wait && { groupWait: group_wait }),
  ...(group_interval && { groupInterval: group_interval }),
  repeatInterval: route.repeat_interval,
  ...(routes && { routes: routes.map(toRoute) }),
});

const toSpec = ({ route, receivers, inhibit_rules }: Configuration) => ({
  route: toRoute(route),
  receivers: receivers.map(({ name }) => ({
    name,
    ...(name !== 'nobody' && {
      webhookConfigs: [{ urlSecret: { name: 'alert-receivers', key: `${name}-url` } }],
    }),
  })),
  inhibitRules: inhibit_rules.map(({ source_matchers, target_matchers, equal }) => ({
    sourceMatch: source_matchers.map(toMatcher),
    targetMatch: target_matchers.map(toMatcher),
    equal,
  })),
});

/**
 * The file of the component alertmanager, with the routes and inhibition rules of
 * deploy/alertmanager/alertmanager.yaml.
 */
export const printAlertmanagerConfig = (): { file: string; content: string } => {
  const configuration = readFileSync(resolve(DEPLOY, 'alertmanager/alertmanager.yaml'), 'utf8');
  const resource = new Document({
    apiVersion: 'monitoring.coreos.com/v1alpha1',
    kind: 'AlertmanagerConfig',
    metadata: { name: 'marketplace', labels: { 'app.kubernetes.io/part-of': 'marketplace' } },
    spec: toSpec(parse(configuration)),
  });
  resource.commentBefore =
    ' Generated from deploy/alertmanager/alertmanager.yaml by `npm run generate`: change that file, not this one.';
  return {
    file: resolve(DEPLOY, 'kubernetes/components/alertmanager/alertmanager-config.yaml'),
    content: resource.toString({ lineWidth: 0 }),
  };
};
