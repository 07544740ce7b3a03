import { ConfigError, type Environment, splitList } from '../../config/env.ts';
import { forbidden } from '../../errors/app-error.ts';
import type { SecurityHandler } from '../../openapi/operation-router.ts';
import type { ServiceSecrets } from './service-secrets.ts';
import type { ServiceCaller } from './service-shares.ts';
import { toVariablePrefix } from './services.ts';

/** The rights that a service can have. The security requirement of an operation names its scope. */
export const SCOPES: readonly string[] = [
  'introspect',
  'users:read',
  'events:read',
  'projects:read',
  'projects:write',
  'teams:read',
  'teams:write',
  'mails:send',
];

/** The scopes of each other service. A service that is not listed has none. */
export type ServiceScopes = ReadonlyMap<string, readonly string[]>;

const findProblem = (name: string, scopes: readonly string[], isKnown: boolean): string | undefined => {
  const unknown = scopes.filter((scope) => !SCOPES.includes(scope));
  if (unknown.length > 0)
    return `${name}_SCOPES has unknown scopes (${unknown.join(', ')}): use ${SCOPES.join(', ')}`;
  return isKnown ? undefined : `${name}_SCOPES needs ${name}_SECRET`;
};

/** A name that is missing from SERVICES, or misspelt, would otherwise only show as 403 SCOPE_MISSING. */
const findStrayVariables = (environment: Environment, services: Iterable<string>): string[] => {
  const known = Array.from(services, (service) => `${toVariablePrefix(service)}_SCOPES`);
  return Object.keys(environment)
    .filter((name) => /^SERVICE_.*_SCOPES$/.test(name) && !known.includes(name) && environment[name])
    .map((name) => `${name} belongs to no name in SERVICES`);
};

/**
 * Reads `SERVICE_<NAME>_SCOPES` for each of SERVICES.
 * @throws ConfigError that names all variables with an unknown scope, with scopes of a service without a
 * secret, or of none of SERVICES
 */
export const readServiceScopes = (environment: Environment, secrets: ServiceSecrets): ServiceScopes => {
  const services = [...secrets].map(([service, { length }]) => {
    const name = toVariablePrefix(service);
    const scopes = splitList(environment[`${name}_SCOPES`] ?? '');
    return { service, scopes, problem: scopes.length > 0 && findProblem(name, scopes, length > 0) };
  });
  const problems = [
    ...services.flatMap(({ problem }) => problem || []),
    ...findStrayVariables(environment, secrets.keys()),
  ];
  if (problems.length > 0) throw new ConfigError(problems.join('; '));
  return new Map(services.map(({ service, scopes }) => [service, scopes]));
};

/** The right to write a record includes the right to read it. */
const allows = (granted: readonly string[], scope: string): boolean =>
  granted.includes(scope) || granted.includes(scope.replace(/:read$/, ':write'));

/** Authorizes a service after its authentication, and before the validation of the request. */
export const withScopes =
  (authenticate: SecurityHandler<ServiceCaller>, scopes: ServiceScopes): SecurityHandler<ServiceCaller> =>
  async (req, res) => {
    const caller = await authenticate(req, res);
    const required = req.state.operation?.schema.security?.[0]?.['service'] ?? [];
    const granted = scopes.get(caller.service) ?? [];
    const missing = required.find((scope) => !allows(granted, scope));
    if (missing !== undefined)
      throw forbidden('SCOPE_MISSING', `The service does not have the scope ${missing}`);
    return caller;
  };
