import { type CleanedEnv, makeExactValidator } from 'envalid';
import { createHostCheck, type HostCheck, isLoopback } from '../network/known-hosts.ts';
import { isDecodable } from '../network/url-login.ts';
import { httpUrl } from './addresses.ts';
import { boolean, fraction, integer, text } from './env.ts';

const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

const MAX_ATTRIBUTE_LENGTH = 255;

/** Matches the SDK's parser, which ignores the whole list if one item is malformed. */
const isResourceAttribute = (item: string): boolean => {
  const [key = '', value, ...others] = item.split('=').map((part) => part.trim());
  return (
    key !== '' &&
    value !== undefined &&
    others.length === 0 &&
    [key, value].every((part) => isDecodable(part) && decodeURIComponent(part).length <= MAX_ATTRIBUTE_LENGTH)
  );
};

/**
 * https://opentelemetry.io/docs/specs/otel/resource/sdk/#specifying-resource-information-via-an-environment-variable
 */
const resourceAttributes = makeExactValidator((input) => {
  const items = input.split(',').filter((item) => item.trim() !== '');
  if (!items.every(isResourceAttribute))
    throw new TypeError('must be a list of name=value, comma-separated, other commas and = percent-encoded');
  return input;
});

export const processVariables = {
  NODE_ENV: text({ choices: ['development', 'test', 'production'], default: 'production' }),
  LISTEN_HOST: text({ default: '127.0.0.1' }),
  LOG_LEVEL: text({
    choices: ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
    default: 'info',
  }),
  /** How long a stopping process still accepts requests, so that load balancers notice first. */
  DRAIN_SECONDS: integer(2, 0, 300),
  /** How long after the drain shutdown closes open connections. */
  SHUTDOWN_SECONDS: integer(15, 1, 600),
  // Standard OpenTelemetry variables:
  // https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl({ default: undefined }),
  OTEL_SDK_DISABLED: boolean({ default: false }),
  OTEL_TRACES_SAMPLER: text({ choices: SAMPLERS, default: 'parentbased_always_on' }),
  OTEL_TRACES_SAMPLER_ARG: fraction(1),
  /** Read by the SDK itself. */
  OTEL_RESOURCE_ATTRIBUTES: resourceAttributes({ default: undefined }),
};

export type TracingSettings = {
  sampler: (typeof SAMPLERS)[number];
  /** The fraction of traces that a ratio sampler keeps. */
  ratio: number;
  /** False if anybody may call this process: a caller must not decide how many spans are kept. */
  trustsCallers: boolean;
};

type ProcessValues = CleanedEnv<typeof processVariables>;

/** Undefined if no spans are recorded. */
const toTracingSettings = (env: ProcessValues): TracingSettings | undefined =>
  env.OTEL_EXPORTER_OTLP_ENDPOINT === undefined || env.OTEL_SDK_DISABLED
    ? undefined
    : {
        sampler: env.OTEL_TRACES_SAMPLER,
        ratio: env.OTEL_TRACES_SAMPLER_ARG,
        trustsCallers: true,
      };

/** A process on a loopback address is reached by that address alone. Elsewhere, such as in a container, it has a name. */
const toHostCheck = ({ NODE_ENV, LISTEN_HOST }: ProcessValues): HostCheck | undefined =>
  NODE_ENV !== 'production' && isLoopback(LISTEN_HOST) ? createHostCheck() : undefined;

/** The part of the configuration that every process has. */
export const toProcessConfig = (env: ProcessValues) => ({
  isProduction: env.NODE_ENV === 'production',
  host: env.LISTEN_HOST,
  isKnownHost: toHostCheck(env),
  logLevel: env.LOG_LEVEL,
  drainSeconds: env.DRAIN_SECONDS,
  shutdownSeconds: env.SHUTDOWN_SECONDS,
  tracing: toTracingSettings(env),
});
