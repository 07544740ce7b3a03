import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from '@prometheus-io/client';
import { withTimeout } from '../async/tasks.ts';

/** The possible values of each label. A series exists from the start for every combination. */
type LabelValues = Record<string, readonly string[]>;
type Labels<Values extends LabelValues> = { [Name in keyof Values]: Values[Name][number] };
type Sample<Name extends string> = { labels: Readonly<Record<Name, string>>; value: number };
type Read<Value> = () => Value | Promise<Value>;

const SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const READ_MILLISECONDS = 1_000;

const combine = (values: LabelValues): Record<string, string>[] =>
  Object.entries(values).reduce<Record<string, string>[]>(
    (combinations, [name, choices]) =>
      combinations.flatMap((labels) => choices.map((choice) => ({ ...labels, [name]: choice }))),
    [{}],
  );

/**
 * Shares one read among concurrent scrapes. During an outage, a read takes longer than the scrape interval,
 * and each read would occupy another connection to Postgres or Redis.
 */
const shareReading = <Value>(read: Read<Value>): (() => Promise<Value>) => {
  let current: Promise<Value> | undefined;
  return () => {
    current ??= Promise.resolve()
      .then(read)
      .finally(() => {
        current = undefined;
      });
    return current;
  };
};

const createInstruments = (registry: Registry) => {
  const common = (name: string, help: string) => ({ name, help, registers: [registry] });
  /** A failed or late read removes the series, because an old value would look current. */
  const addGauge = <Value>(
    options: { name: string; help: string; labelNames: readonly string[] },
    read: Read<Value | undefined>,
    set: (gauge: Gauge<string>, value: Value) => void,
  ): void => {
    const readShared = shareReading(read);
    const collect = async (): Promise<void> => {
      const reading = withTimeout(readShared(), READ_MILLISECONDS, 'Reading the metric timed out');
      const update = (value: Value | undefined): boolean => {
        if (value !== undefined) set(gauge, value);
        return value !== undefined;
      };
      if (await reading.then(update).catch(() => false)) return;
      // remove() throws for a gauge with labels, and reset() would set a gauge without labels to 0.
      if (options.labelNames.length > 0) gauge.reset();
      else gauge.remove();
    };
    const gauge = new Gauge<string>({ ...options, registers: [registry], collect });
  };
  return {
    /** Adds a value that is read at each scrape; undefined omits the series. */
    gauge: (name: string, help: string, read: Read<number | undefined>): void =>
      addGauge({ name, help, labelNames: [] }, read, (gauge, value) => gauge.set(value)),
    /** Adds values that are read at each scrape, keyed by label value; undefined omits all series. */
    labeledGauge: (
      name: string,
      help: string,
      label: string,
      read: Read<Record<string, number> | undefined>,
    ): void =>
      addGauge({ name, help, labelNames: [label] }, read, (gauge, values) => {
        for (const [labelValue, value] of Object.entries(values)) gauge.set({ [label]: labelValue }, value);
      }),
    /** Adds samples with several labels that are read at each scrape; undefined omits all series. */
    sampledGauge: <Name extends string>(
      name: string,
      help: string,
      labelNames: readonly Name[],
      read: Read<readonly Sample<Name>[] | undefined>,
    ): void =>
      addGauge({ name, help, labelNames }, read, (gauge, samples) => {
        for (const { labels, value } of samples) gauge.set(labels, value);
      }),
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

/**
 * The methods of RFC 9110, and PATCH. A client that sends all others that Node parses would multiply the
 * series.
 */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE']);

/** A registry with Node's default metrics (event-loop delay, memory, garbage collection). */
export const createMetrics = (service: string) => {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });

  const requestSeconds = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the first byte of a request to the last byte of its response, in seconds',
    labelNames: ['method', 'route', 'status'],
    buckets: SECONDS,
    registers: [registry],
  });

  const instruments = createInstruments(registry);

  return {
    ...instruments,
    countDroppedLine: instruments.counter(
      'log_lines_dropped_total',
      'Log lines that were not written, because the client network wrote too many, or the output is full',
      { reason: ['network', 'output'] },
    ),
    observeRequest: (method: string, route: string, status: number, seconds: number) =>
      requestSeconds.observe({ method: METHODS.has(method) ? method : '_OTHER', route, status }, seconds),
    contentType: registry.contentType,
    render: () => registry.metrics(),
  };
};

export type Metrics = ReturnType<typeof createMetrics>;
