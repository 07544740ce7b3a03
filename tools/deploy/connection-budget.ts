import { MIGRATION_CONNECTIONS } from '../../migrate/src/migrate.ts';
import type { Environment } from '../../shared/src/config/env.ts';
import { type ComposeService, readComposeFile } from './compose-file.ts';
import type { Overlay, Workload } from './kubernetes-overlay.ts';
import { PROCESSES, REQUIRED_VARIABLES } from './processes.ts';

/** Connections that stay free for superuser_reserved_connections, psql and the backup. */
const COMPOSE_RESERVED = 10;

/** Connections from one kind of pods to a server or a pooler. */
type Row = { name: string; pods: number; connections: number };

type Budget = {
  /** Connections to PostgreSQL. */
  rows: Row[];
  reserved: number;
  total: number;
  maxConnections: number;
  /** Connections to PgBouncer. One pod of it must accept all of them. */
  pooler?: { name: string; rows: Row[]; total: number; maxConnections: number };
};

type PoolerSpec = { instances: number; pgbouncer: { parameters: Record<string, string> } };

/**
 * The maximum number of pods of a Deployment during a rollout at its maximum size: the new pods, and the pods
 * of the old release that still drain. `minReadySeconds` delays the start of the next pod, and so limits how
 * many drain.
 */
const countPods = (replicas: number, { minReadySeconds = 0, strategy, template }: Workload): number => {
  const surge = strategy?.rollingUpdate.maxSurge ?? 1;
  const { terminationGracePeriodSeconds: graceSeconds = 30 } = template.spec;
  const draining = surge * Math.ceil(graceSeconds / (minReadySeconds + 1));
  return replicas + Math.min(replicas, surge + draining);
};

const toRow = ({ find, workload, environment }: Overlay, name: string): Row[] => {
  const connections = PROCESSES[name]?.(environment(name)).primaryConnections;
  if (connections === undefined) return [];
  const scaled = [
    find('HorizontalPodAutoscaler', name)?.spec?.['maxReplicas'],
    find('ScaledObject', name)?.spec?.['maxReplicaCount'],
  ].find((count) => typeof count === 'number');
  const replicas = scaled ?? workload(name).replicas ?? 1;
  return [{ name, pods: countPods(replicas, workload(name)), connections }];
};

const sum = (rows: readonly Row[]): number =>
  rows.reduce((total, { pods, connections }) => total + pods * connections, 0);

const readNumber = (values: Record<string, string>, name: string, where: string): number => {
  const value = Number(values[name]);
  if (Number.isInteger(value) && value > 0) return value;
  throw new Error(`${name} of ${where} must be a positive number, and is ${values[name] ?? 'missing'}`);
};

/**
 * PgBouncer has a pool for each login, and one for the user that reads the passwords. During a rollout all
 * pods of the old release may still drain.
 */
const toPoolerRow = (name: string, { instances, pgbouncer }: PoolerSpec, logins: number): Row => {
  const poolSize = readNumber(pgbouncer.parameters, 'default_pool_size', name);
  const reserve = Number(pgbouncer.parameters['reserve_pool_size'] ?? 0);
  return { name, pods: 2 * instances, connections: (logins + 1) * (poolSize + reserve) };
};

const readMaxConnections = ({ ofKind, configMap }: Overlay): number => {
  const cluster = ofKind('Cluster')[0]?.spec?.['postgresql'] as
    | { parameters: Record<string, string> }
    | undefined;
  return cluster
    ? readNumber(cluster.parameters, 'max_connections', 'the Cluster')
    : readNumber(configMap('connection-budget'), 'MAX_CONNECTIONS', 'the ConfigMap connection-budget');
};

/**
 * The connections that an overlay can open, with every Deployment at its maximum size, and those that its
 * server allows.
 */
export const computeBudget = (overlay: Overlay): Budget => {
  const { ofKind, environment, configMap } = overlay;
  const pooler = ofKind('Pooler')[0];
  const usesPooler = ({ name }: Row) =>
    pooler !== undefined &&
    new URL(environment(name)['DATABASE_URL'] ?? '').hostname === pooler.metadata.name;
  const processes = Object.keys(PROCESSES).flatMap((name) => toRow(overlay, name));
  const clients = processes.filter(usesPooler);
  const spec = pooler?.spec as PoolerSpec | undefined;
  const rows = [
    ...processes.filter((row) => !usesPooler(row)),
    ...(pooler && spec ? [toPoolerRow(pooler.metadata.name, spec, clients.length)] : []),
    { name: 'migrate', pods: 1, connections: MIGRATION_CONNECTIONS },
  ];
  const reserved = readNumber(
    configMap('connection-budget'),
    'RESERVED_CONNECTIONS',
    'the ConfigMap connection-budget',
  );
  return {
    rows,
    reserved,
    total: sum(rows) + reserved,
    maxConnections: readMaxConnections(overlay),
    ...(pooler &&
      spec && {
        pooler: {
          name: pooler.metadata.name,
          rows: clients,
          total: sum(clients),
          maxConnections: readNumber(spec.pgbouncer.parameters, 'max_client_conn', pooler.metadata.name),
        },
      }),
  };
};

/** The first number of a value such as `${AUTH_SERVICE_REPLICAS:-1}`, or that of the environment. */
const readReplicas = (service: ComposeService | undefined, environment: Environment): number => {
  const [, name = '', fallback = '1'] = /^\$\{(\w+):-(\d+)\}$/.exec(service?.deploy?.replicas ?? '') ?? [];
  return Number(environment[name] || fallback);
};

/** The same for docker-compose.yml, with the replicas that the environment sets. */
export const computeComposeBudget = (environment: Environment): Budget => {
  const { services } = readComposeFile();
  const rows = Object.keys(PROCESSES).flatMap((name): Row[] => {
    const connections = PROCESSES[name]?.({ ...REQUIRED_VARIABLES, ...environment }).primaryConnections;
    if (connections === undefined) return [];
    // Replacing the containers one by one starts one more.
    return [{ name, pods: readReplicas(services[name], environment) + 1, connections }];
  });
  rows.push({ name: 'migrate', pods: 1, connections: MIGRATION_CONNECTIONS });
  const command = [services['postgres']?.command ?? []].flat().map(String);
  const maximum = command.map((argument) => /max_connections=(\d+)/.exec(argument)?.[1]).find(Boolean);
  const maxConnections = readNumber({ maximum: maximum ?? '' }, 'maximum', 'max_connections of postgres');
  return { rows, reserved: COMPOSE_RESERVED, total: sum(rows) + COMPOSE_RESERVED, maxConnections };
};

const printTable = (title: string, rows: readonly Row[], lines: readonly [string, string][]): string => {
  const print = (...[name, ...numbers]: [string, ...(string | number)[]]) =>
    `  ${name.padEnd(28)}${numbers.map((number) => String(number).padStart(13)).join('')}`;
  return [
    title,
    print('process', 'pods at most', 'connections', 'sum'),
    ...rows.map(({ name, pods, connections }) => print(name, pods, connections, pods * connections)),
    ...lines.map(([name, text]) => print(name, '', '', text)),
  ].join('\n');
};

export const printBudget = (
  overlay: string,
  { rows, reserved, total, maxConnections, pooler }: Budget,
): string =>
  [
    printTable(`${overlay}: connections to PostgreSQL`, rows, [
      ['reserved', String(reserved)],
      ['total, of max_connections', `${total} of ${maxConnections}`],
    ]),
    ...(pooler
      ? [
          printTable(`${overlay}: connections to ${pooler.name}`, pooler.rows, [
            ['total, of max_client_conn', `${pooler.total} of ${pooler.maxConnections}`],
          ]),
        ]
      : []),
  ].join('\n');

/** One line for each limit that is exceeded. */
export const findExcess = (overlay: string, { total, maxConnections, pooler }: Budget): string[] => [
  ...(total > maxConnections
    ? [
        `${overlay}: ${total} connections exceed max_connections (${maxConnections}): lower DATABASE_CONNECTIONS or maxReplicas, or raise it.`,
      ]
    : []),
  ...(pooler && pooler.total > pooler.maxConnections
    ? [
        `${overlay}: ${pooler.total} connections exceed max_client_conn (${pooler.maxConnections}) of ${pooler.name}.`,
      ]
    : []),
];
