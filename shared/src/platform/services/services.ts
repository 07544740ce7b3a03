import { ConfigError, type Environment, nameList, readEnvironment } from '../../config/env.ts';

/** The platform uses these names in metrics, traces and /readyz. */
const PLATFORM_NAMES: readonly string[] = [
  ...['gateway', 'auth-service', 'admin-service', 'mailer-worker'],
  ...['upstreams', 'other'],
];

const rejectPlatformNames = ({ SERVICES: names }: { SERVICES: string[] }): void => {
  const taken = names.filter((name) => PLATFORM_NAMES.includes(name));
  if (taken.length > 0)
    throw new ConfigError(`SERVICES must not contain names of the platform (${taken.join(', ')})`);
};

/**
 * Returns the names of the other services behind the gateway, from SERVICES.
 * @throws ConfigError
 */
export const readServiceNames = (environment: Environment): readonly string[] =>
  readEnvironment(environment, { SERVICES: nameList({ default: [] }) }, [rejectPlatformNames]).SERVICES;

/**
 * Converts `my-shop` to `SERVICE_MY_SHOP`, the prefix of the service's variables, such as
 * `SERVICE_MY_SHOP_URLS`.
 */
export const toVariablePrefix = (name: string): string =>
  `SERVICE_${name.toUpperCase().replaceAll('-', '_')}`;
