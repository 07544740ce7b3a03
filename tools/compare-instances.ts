import { readFile } from 'node:fs/promises';
import { parseMetrics, type Sample } from '../shared/testing/parse-metrics.ts';

// `npm run compare:instances -- <operations URL, or file with its /metrics> …`: prints in what the instances of
// the platform differ, and which switches are active. The exit code is 1 if they differ or do not respond.

const MAX_CLOCK_SECONDS = 1;

type Instance = { source: string; service: string; samples: Sample[] };

/** @throws Error if it is unreadable or not the metrics of a process of the platform */
const readInstance = async (source: string): Promise<Instance> => {
  const isUrl = /^https?:/.test(source);
  const page = isUrl
    ? await (await fetch(`${source}/metrics`, { signal: AbortSignal.timeout(5_000) })).text()
    : await readFile(source, 'utf8');
  const samples = parseMetrics(page);
  const service = samples.find(({ name }) => name === 'build_info')?.labels['service'];
  if (service === undefined) throw new Error('no metrics of a process of the platform, 1.2.0 or later');
  return { source, service, samples };
};

/** Returns what a sample describes, such as a setting, and its value. A setting of one service has the service's name. */
const toValue = ({ name, labels }: Sample): { thing: string; value: string } | [] => {
  const { service, setting, secret, fingerprint = '', version = '', state } = labels;
  if (name === 'build_info') return { thing: 'The release', value: version };
  if (name === 'nodejs_version_info') return { thing: 'The version of Node', value: version };
  if (name === 'shared_setting') return { thing: `${setting}`, value: fingerprint };
  if (name === 'service_setting') return { thing: `${setting} of ${service}`, value: fingerprint };
  if (name === 'shared_secret') return { thing: `${secret}`, value: `${fingerprint} (${state})` };
  return [];
};

const readValues = ({ samples }: Instance): Map<string, string> => {
  const byThing = Map.groupBy(samples.flatMap(toValue), ({ thing }) => thing);
  return new Map([...byThing].map(([thing, values]) => [thing, values.map(({ value }) => value).join(' ')]));
};

const findDifferences = (instances: readonly Instance[]): string[] => {
  const read = instances.map((instance) => ({ ...instance, values: readValues(instance) }));
  const things = new Set(read.flatMap(({ values }) => [...values.keys()]));
  return [...things].flatMap((thing) => {
    const readers = read.filter(
      ({ values, service }) => values.has(thing) || thing.endsWith(` of ${service}`),
    );
    const byValue = Map.groupBy(readers, ({ values }) => values.get(thing) ?? 'not read');
    if (byValue.size < 2) return [];
    const described = [...byValue].map(
      ([value, found]) => `  ${value}: ${found.map(({ source }) => source).join(', ')}`,
    );
    return [`${thing} differs:`, ...described];
  });
};

const findWrongClocks = (instances: readonly Instance[]): string[] =>
  instances.flatMap(({ source, samples }) =>
    samples
      .filter(({ name, value }) => name === 'clock_difference_seconds' && Math.abs(value) > MAX_CLOCK_SECONDS)
      .map(({ value }) => `The clock of ${source} differs from that of PostgreSQL by ${value.toFixed(1)} s`),
  );

const findSwitches = (instances: readonly Instance[]): string[] =>
  instances.flatMap(({ source, samples }) =>
    samples
      .filter(({ name, value }) => name === 'switch_active' && value === 1)
      .map(({ labels }) => `The switch ${labels['switch']} is active: ${source}`),
  );

const sources = process.argv.slice(2).map((source) => source.replace(/\/+$/, ''));
if (sources.length === 0) {
  console.error('Usage: npm run compare:instances -- <operations URL, or file with its /metrics> …');
  process.exitCode = 2;
} else {
  const results = await Promise.allSettled(sources.map(readInstance));
  const instances = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  const unreadable = results.flatMap((result, index) =>
    result.status === 'rejected' ? `${sources[index]} is unreadable: ${result.reason.message}` : [],
  );
  const problems = [...unreadable, ...findDifferences(instances), ...findWrongClocks(instances)];
  for (const line of [...problems, ...findSwitches(instances)]) console.log(line);
  console.log(`${instances.length} instances read${problems.length === 0 ? ', which do not differ' : ''}.`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
