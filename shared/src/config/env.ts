import { bool, type CleanedEnv, cleanEnv, makeExactValidator, str } from 'envalid';
import { isPlatformRole, PLATFORM_ROLES } from '../access/platform-role.ts';
import { parseDatabaseUrl } from '../db/database-url.ts';
import { parseRedisUrl } from '../redis/redis-url.ts';
import { describeProblems, inFileToo, readSecretVariable, readVariables } from './secret-file.ts';

/** Lists every problem of the environment in one message. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

export const text = str;
export const boolean = bool;

export type Environment = Record<string, string | undefined>;

/**
 * A secret that is read without `readEnvironment`: undefined if it is not set.
 * @throws ConfigError when its file is unreadable or empty
 */
export const findSecret = (environment: Environment, name: string): string | undefined => {
  const { value, error, emptyFile } = readSecretVariable(environment, name);
  const problem = error ?? emptyFile;
  if (problem !== undefined) throw new ConfigError(problem);
  return value;
};

/**
 * Reads and validates the variables in `specs`. An empty variable counts as unset, as does an empty file.
 * @throws ConfigError naming every missing or malformed variable at once.
 */
export const readEnvironment = <Specs extends object>(
  environment: Environment,
  specs: Specs,
): CleanedEnv<Specs> => {
  const readings = readVariables(environment, specs as Record<string, object>);
  const given = Object.fromEntries(
    [...readings].flatMap(([name, { value }]) => (value === undefined ? [] : [[name, value]])),
  );
  return cleanEnv(given, specs, {
    reporter: ({ errors }) => {
      const problems = describeProblems(readings, errors);
      if (problems.length > 0) throw new ConfigError(problems.join('; '));
    },
  });
};

/** An integer from `min` to `max`. */
export const integer = (fallback: number, min: number, max: number) =>
  makeExactValidator((input) => {
    const value = Number(input);
    if (!Number.isInteger(value) || value < min || value > max)
      throw new TypeError(`must be an integer from ${min} to ${max}`);
    return value;
  })({ default: fallback });

/** Text of 1 to `maxLength` characters for a mail header: without line breaks and other control characters. */
const headerText = (fallback: string, maxLength: number) =>
  makeExactValidator((input) => {
    const value = input.trim();
    if (value === '' || [...value].length > maxLength || /[\p{Cc}\u2028\u2029]/u.test(value))
      throw new TypeError(`must have 1 to ${maxLength} characters and no line breaks`);
    return value;
  })({ default: fallback });

/** The platform's name as users see it: in mails, authenticator apps and passkey dialogs. */
export const productName = headerText('Marketplace', 60);

export const positiveNumber = (fallback: number) =>
  makeExactValidator((input) => {
    const value = Number(input);
    if (!Number.isFinite(value) || value <= 0) throw new TypeError('must be a number above 0');
    return value;
  })({ default: fallback });

export const port = (fallback: number) => integer(fallback, 0, 65535);

/** A lifetime in seconds. A value that is not a positive number falls back to the default, as the specification requires. */
export const lifetimeSeconds = (fallback: number) =>
  makeExactValidator((input) => {
    const value = Math.floor(Number(input));
    return Number.isFinite(value) && value > 0 ? value : fallback;
  })({ default: fallback });

/** An HMAC key: RFC 7518, 3.2 requires at least the size of the hash, 32 bytes for HS256. */
export const secret = inFileToo(
  makeExactValidator((input) => {
    if (input.length < 32) throw new TypeError('must have at least 32 characters');
    return input;
  }),
);

const splitList = (input: string): string[] =>
  input
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

/** Comma-separated values, trimmed, without empty ones. */
export const list = makeExactValidator(splitList);
export const secretList = inFileToo(list);

/** Platform roles, comma-separated. */
export const platformRoleList = makeExactValidator((input) => {
  const names = splitList(input);
  const unknown = names.filter((name) => !isPlatformRole(name));
  if (unknown.length > 0)
    throw new TypeError(`has unknown roles (${unknown.join(', ')}): use ${PLATFORM_ROLES.join(', ')}`);
  return names.filter(isPlatformRole);
});

const DOMAIN = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/;

/** At least one e-mail domain, comma-separated; converted to lower case. */
export const domainList = makeExactValidator((input) => {
  const names = splitList(input).map((name) => name.toLowerCase());
  if (names.length === 0 || !names.every((name) => DOMAIN.test(name)))
    throw new TypeError('must be a list of domains, such as example.com,example.org');
  return names;
});

export const url = makeExactValidator((input) => {
  if (!URL.canParse(input)) throw new TypeError('must be a URL');
  return input.replace(/\/+$/, '');
});
/** A URL that a browser opens. */
export const webUrl = makeExactValidator((input) => {
  if (!URL.canParse(input) || !/^https?:$/.test(new URL(input).protocol))
    throw new TypeError('must be a URL with http or https');
  return input;
});
/** Only the address, without a name. */
export const emailAddress = makeExactValidator((input) => {
  if (!/^[^\s"'<>()[\]:;,@\\]+@[a-z0-9.-]+$/i.test(input)) throw new TypeError('must be an e-mail address');
  return input;
});
/** A URL with a password. */
export const secretUrl = inFileToo(url);

/** One server or several; database-url.ts has the syntax. */
export const databaseUrl = inFileToo(
  makeExactValidator((input) => {
    parseDatabaseUrl(input);
    return input;
  }),
);

/** One server, Sentinels or a cluster; the forms are in docs/configuration.md. */
export const redisUrl = inFileToo(
  makeExactValidator((input) => {
    const trimmed = input.replace(/\/+$/, '');
    parseRedisUrl(trimmed);
    return trimmed;
  }),
);

const MAIL_QUEUE_NEEDS = 'the mail queue needs one server (redis://…) or Sentinels (redis+sentinel://…)';

/**
 * QUEUE_REDIS_URL or, without it, REDIS_URL.
 * @throws ConfigError when it is a cluster: BullMQ's node-redis adapter does not support one
 */
export const chooseQueueRedisUrl = <RedisUrl extends string | undefined>(env: {
  REDIS_URL: RedisUrl;
  QUEUE_REDIS_URL: string | undefined;
}): RedisUrl | string => {
  const isCluster = (url: string | undefined) => url !== undefined && parseRedisUrl(url).engine === 'cluster';
  if (isCluster(env.QUEUE_REDIS_URL))
    throw new ConfigError(`QUEUE_REDIS_URL must not be a cluster: ${MAIL_QUEUE_NEEDS}`);
  if (env.QUEUE_REDIS_URL === undefined && isCluster(env.REDIS_URL))
    throw new ConfigError(`QUEUE_REDIS_URL must be set when REDIS_URL is a cluster: ${MAIL_QUEUE_NEEDS}`);
  return env.QUEUE_REDIS_URL ?? env.REDIS_URL;
};

/** An IANA time zone. */
export const timeZone = (fallback: string) =>
  makeExactValidator((input) => {
    try {
      Intl.DateTimeFormat('en', { timeZone: input });
    } catch (cause) {
      throw new TypeError('must be a time zone, such as UTC or Europe/Berlin', { cause });
    }
    return input;
  })({ default: fallback });

export const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

const fraction = (fallback: number) =>
  makeExactValidator((input) => {
    const value = Number(input);
    if (!(value >= 0 && value <= 1)) throw new TypeError('must be a number from 0 to 1');
    return value;
  })({ default: fallback });

/** Variables of every process. */
export const processVariables = {
  NODE_ENV: str({ choices: ['development', 'test', 'production'], default: 'production' }),
  HOST: str({ default: '127.0.0.1' }),
  LOG_LEVEL: str({
    choices: ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
    default: 'info',
  }),
  /** How long a stopping process still accepts requests, so that load balancers notice first. */
  DRAIN_SECONDS: integer(2, 0, 300),
  /** After this, shutdown closes open connections. */
  SHUTDOWN_SECONDS: integer(15, 1, 600),
  // Standard OpenTelemetry variables: https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/
  OTEL_EXPORTER_OTLP_ENDPOINT: url({ default: undefined }),
  OTEL_SDK_DISABLED: bool({ default: false }),
  OTEL_TRACES_SAMPLER: str({ choices: SAMPLERS, default: 'parentbased_always_on' }),
  OTEL_TRACES_SAMPLER_ARG: fraction(1),
  OTEL_BSP_SCHEDULE_DELAY: integer(5_000, 1, 600_000),
  /** Read by the SDK itself. */
  OTEL_RESOURCE_ATTRIBUTES: str({ default: undefined }),
};

export type TracingSettings = {
  sampler: (typeof SAMPLERS)[number];
  /** The fraction of traces that a ratio sampler keeps. */
  ratio: number;
  /** How long spans are collected before they are sent. */
  delayMilliseconds: number;
};

/** Undefined when no spans are to be recorded. */
export const toTracingSettings = (
  env: CleanedEnv<Pick<typeof processVariables, Extract<keyof typeof processVariables, `OTEL_${string}`>>>,
): TracingSettings | undefined =>
  env.OTEL_EXPORTER_OTLP_ENDPOINT === undefined || env.OTEL_SDK_DISABLED
    ? undefined
    : {
        sampler: env.OTEL_TRACES_SAMPLER,
        ratio: env.OTEL_TRACES_SAMPLER_ARG,
        delayMilliseconds: env.OTEL_BSP_SCHEDULE_DELAY,
      };
