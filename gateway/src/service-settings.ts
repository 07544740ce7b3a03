import {
  ConfigError,
  type Environment,
  listOf,
  readEnvironment,
  rejectProblems,
} from '@platform/shared/config/env';
import { readServiceNames, toVariablePrefix } from '@platform/shared/platform/services/services';
import { isWithin, type OtherService } from './upstreams.ts';

/** Plain HTTP with only host and port: the agent has no TLS, and the gateway does not rewrite paths. */
const isBaseUrl = (item: string): boolean => {
  const url = URL.parse(item);
  return url?.protocol === 'http:' && url.href === `${url.origin}/`;
};
export const urlList = listOf(isBaseUrl, 'http://host:port');

/** No trailing slash, and no characters that a client may encode. */
const PREFIX = /^\/api\/v1(?:\/[\w~-][\w.~-]*)+$/;
const prefixList = listOf((item) => PREFIX.test(item), 'prefixes such as /api/v1/orders');

/** The first segments of the platform's paths below /api/v1, and `internal`, which is never public. */
const PLATFORM_SEGMENTS = [
  ...['administrator', 'arbiter', 'auth', 'contact', 'docs'],
  ...['internal', 'operator', 'projects', 'users'],
];
/** Below these segments, only `auth` belongs to the platform. */
const KIND_SEGMENTS = ['customers', 'employees'];

const isOfPlatform = (prefix: string): boolean => {
  const [, , , first = '', second = 'auth'] = prefix.toLowerCase().split('/');
  return PLATFORM_SEGMENTS.includes(first) || (KIND_SEGMENTS.includes(first) && second === 'auth');
};

const toPathsVariable = (name: string): string => `${toVariablePrefix(name)}_PATHS`;

/** @throws ConfigError */
const readService = (environment: Environment, name: string): OtherService => {
  const [pathsVariable, urlsVariable] = [toPathsVariable(name), `${toVariablePrefix(name)}_URLS`];
  const specs = { [pathsVariable]: prefixList({ default: [] }), [urlsVariable]: urlList({ default: [] }) };
  const { [pathsVariable]: prefixes = [], [urlsVariable]: urls = [] } = readEnvironment(environment, specs);
  const ofPlatform = prefixes.filter(isOfPlatform);
  const problems = [
    ...(ofPlatform.length > 0
      ? [`${pathsVariable} has paths of the platform: ${ofPlatform.join(', ')}`]
      : []),
    ...(prefixes.length > 0 && urls.length === 0
      ? [`${urlsVariable} is required with ${pathsVariable}`]
      : []),
  ];
  if (problems.length > 0) throw new ConfigError(problems.join('; '));
  return { name, prefixes, urls };
};

/** @throws ConfigError if a prefix of the service overlaps a prefix of another service */
const rejectOverlap = ({ name, prefixes }: OtherService, others: readonly OtherService[]): void => {
  for (const other of others)
    for (const prefix of prefixes)
      for (const taken of other.prefixes)
        if (isWithin(prefix, taken) || isWithin(taken, prefix))
          throw new ConfigError(
            `${toPathsVariable(name)}: ${prefix} overlaps ${taken} of ${toPathsVariable(other.name)}`,
          );
};

/**
 * Returns the other services that have paths at the gateway, from SERVICES and the variables of each service.
 * @throws ConfigError that names the invalid variables of all services
 */
export const readServices = (environment: Environment): OtherService[] => {
  const services: OtherService[] = [];
  rejectProblems(
    readServiceNames(environment).map((name) => () => {
      const service = readService(environment, name);
      rejectOverlap(service, services);
      services.push(service);
    }),
  );
  return services.filter(({ prefixes }) => prefixes.length > 0);
};
