/** Processor time of each process, in the order of PROCESSES. */
export const PROCESSES = ['gateway', 'auth', 'admin', 'postgres', 'redis'] as const;
export const LABELS = {
  gateway: 'gateway',
  auth: 'auth-service',
  admin: 'admin-service',
  postgres: 'PostgreSQL',
  redis: 'Redis',
  worker: 'mailer-worker',
} as const;
type Instances = Record<'gateway' | 'auth' | 'admin', number>;

/** The processor time of a request at a constant rate. */
export type LoadCost = { name: string; rate: number; microseconds: readonly number[] };

/** The share of an operation, and the service that handles it. */
type MixEntry = { name: string; share: number; service: 'auth' | 'admin' };

/** The typical requests of signed-in users; docs/scaling.md is based on this mix. */
export const MIX: readonly MixEntry[] = [
  { name: 'me', share: 0.9, service: 'auth' },
  { name: 'refresh', share: 0.05, service: 'auth' },
  { name: 'users list, page 1', share: 0.049, service: 'admin' },
  { name: 'sign-in', share: 0.001, service: 'auth' },
];

/** Requests per second of one process, which leaves room for peaks. */
const PER_INSTANCE = 1_000;

export const countInstances = (total: number, mix: readonly MixEntry[]): Instances => {
  const countFor = (share: number) => Math.max(1, Math.ceil((total * share) / PER_INSTANCE));
  const shareOf = (service: string) =>
    mix.filter((entry) => entry.service === service).reduce((sum, { share }) => sum + share, 0);
  return { gateway: countFor(1), auth: countFor(shareOf('auth')), admin: countFor(shareOf('admin')) };
};

/** The cost at the measured rate that is nearest by ratio. */
const findCost = (costs: readonly LoadCost[], name: string, rate: number): LoadCost => {
  const distance = (cost: LoadCost) => Math.abs(Math.log(cost.rate / rate));
  const [nearest] = costs
    .filter((cost) => cost.name === name)
    .toSorted((one, other) => distance(one) - distance(other));
  if (!nearest) throw new Error(`There is no cost of ${name}`);
  return nearest;
};

type Model = {
  costs: readonly LoadCost[];
  /** Microseconds per second of each process without requests. */
  idle: readonly number[];
  mix: readonly MixEntry[];
};

/** The cores that each kind of process needs at a total rate, with the cost at the rate of one instance. */
export const planCores = (total: number, { costs, idle, mix }: Model): number[] => {
  const instances = countInstances(total, mix);
  return PROCESSES.map((process, index) => {
    const requests = mix.map(({ name, share, service }) => {
      const rate = (total * share) / instances[process === 'gateway' ? 'gateway' : service];
      return total * share * (findCost(costs, name, rate).microseconds[index] ?? 0);
    });
    const started = process === 'postgres' || process === 'redis' ? 1 : instances[process];
    return requests.reduce((sum, part) => sum + part, started * (idle[index] ?? 0)) / 1_000_000;
  });
};
