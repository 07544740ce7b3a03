import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** A label's possible values: each combination is a series, there from the start and never one more. */
type LabelValues = Record<string, readonly string[]>;
type Labels<Values extends LabelValues> = { [Name in keyof Values]: Values[Name][number] };
type Read<Value> = () => Value | Promise<Value>;

const SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const READ_MILLISECONDS = 1_000;

const combine = (values: LabelValues): Record<string, string>[] =>
  Object.entries(values).reduce<Record<string, string>[]>(
    (combinations, [name, choices]) =>
      combinations.flatMap((labels) => choices.map((choice) => ({ ...labels, [name]: choice }))),
    [{}],
  );

const inTime = <Value>(value: Value | Promise<Value>): Promise<Value> => {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('took too long')), READ_MILLISECONDS);
  });
  return Promise.race([Promise.resolve(value), limit]).finally(() => clearTimeout(timer));
};

/** What cannot be read is left out: an old figure would look like a good one, and the others are needed now. */
const readOrForget = async <Value>(gauge: Gauge, read: Read<Value>, set: (value: Value) => void) => {
  try {
    set(await inTime(read()));
  } catch {
    gauge.reset();
    gauge.remove();
  }
};

const createInstruments = (registry: Registry) => {
  const common = (name: string, help: string) => ({ name, help, registers: [registry] });
  return {
    /** A figure read when it is scraped, not pushed. */
    gauge: (name: string, help: string, read: Read<number | undefined>): void => {
      const gauge: Gauge = new Gauge({
        ...common(name, help),
        collect: () =>
          readOrForget(gauge, read, (value) => (value === undefined ? gauge.remove() : gauge.set(value))),
      });
    },
    /** Several of them, told apart by a label. */
    gauges: (name: string, help: string, label: string, read: Read<Record<string, number>>): void => {
      const gauge: Gauge = new Gauge({
        ...common(name, help),
        labelNames: [label],
        collect: () =>
          readOrForget(gauge, read, (values) => {
            for (const [value, figure] of Object.entries(values)) gauge.set({ [label]: value }, figure);
          }),
      });
    },
    counter: <const Values extends LabelValues>(name: string, help: string, values: Values) => {
      const counter = new Counter({ ...common(name, help), labelNames: Object.keys(values) });
      for (const labels of combine(values)) counter.inc(labels, 0);
      return (labels: Labels<Values>, by = 1): void => counter.inc(labels, by);
    },
    histogram: <const Values extends LabelValues>(
      name: string,
      help: string,
      values: Values,
      buckets = SECONDS,
    ) => {
      const labelNames = Object.keys(values);
      const histogram = new Histogram({ ...common(name, help), labelNames, buckets });
      for (const labels of combine(values)) histogram.zero(labels);
      return (labels: Labels<Values>, value: number): void => histogram.observe(labels, value);
    },
  };
};

/** The process's own registry with Node's default metrics (event-loop delay, memory, garbage collection). */
export const createMetrics = (service: string) => {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });

  const requestSeconds = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the first byte of a request to the last byte of its answer, in seconds',
    labelNames: ['method', 'route', 'status'],
    buckets: SECONDS,
    registers: [registry],
  });

  return {
    ...createInstruments(registry),
    observeRequest: (method: string, route: string, status: number, seconds: number) =>
      requestSeconds.observe({ method, route, status }, seconds),
    contentType: registry.contentType,
    expose: () => registry.metrics(),
  };
};

export type Metrics = ReturnType<typeof createMetrics>;
