import { ConfigError, type Environment, findSecret, splitList } from '../../config/env.ts';
import { findSecretProblems, type Secret } from '../../config/secrets.ts';
import { readServiceNames, toVariablePrefix } from './services.ts';

/** The secrets that each other service may send: two during a rotation, none if the service has none. */
export type ServiceSecrets = ReadonlyMap<string, readonly string[]>;

const toVariable = (service: string): string => `${toVariablePrefix(service)}_SECRET`;

/**
 * Reads `SERVICE_<NAME>_SECRET`, or its file, for each of SERVICES.
 * @throws ConfigError that names all secrets that are equal, too short or, in production, placeholders
 */
export const readServiceSecrets = (
  environment: Environment,
  { NODE_ENV }: { NODE_ENV: string },
): ServiceSecrets => {
  const secrets = readServiceNames(environment).map((service) => {
    const name = toVariable(service);
    return { service, name, values: splitList(findSecret(environment, name) ?? '') };
  });
  const all = secrets.flatMap(({ name, values }) => values.map((value) => ({ name, value })));
  const problems = findSecretProblems(all, NODE_ENV === 'production');
  if (problems.length > 0) throw new ConfigError(problems.join('; '));
  return new Map(secrets.map(({ service, values }) => [service, values]));
};

/** The secrets that are set, by variable name. */
export const nameServiceSecrets = (serviceSecrets: ServiceSecrets): Record<string, Secret> =>
  Object.fromEntries(
    [...serviceSecrets].flatMap(([service, [current, ...previous]]) =>
      current === undefined ? [] : [[toVariable(service), { current, previous }]],
    ),
  );
