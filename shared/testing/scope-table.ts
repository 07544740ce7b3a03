import { expect } from 'chai';
import {
  listOperations,
  loadOpenApiDocument,
  type Operation,
  selectOperations,
} from '../src/openapi/openapi-document.ts';
import { send } from './responses.ts';
import { basicAuth } from './service-client.ts';

const SCOPES = [
  'introspect',
  'users:read',
  'events:read',
  'projects:read',
  'projects:write',
  'teams:read',
  'teams:write',
  'mails:send',
] as const;

/** A service for each scope, which has no other one, and a service without a scope. */
const SERVICES = ['none', ...SCOPES].map((scope) => {
  const name = `with-${scope.replace(':', '-')}`;
  return { scope, name, variable: `SERVICE_${name.toUpperCase().replaceAll('-', '_')}` };
});
const toSecret = (name: string): string => `${name}-secret-`.padEnd(40, '0');

/** Settings of a service that has the services of the table. */
export const SCOPE_TABLE_ENVIRONMENT: Record<string, string> = {
  SERVICES: SERVICES.map(({ name }) => name).join(','),
  ...Object.fromEntries(
    SERVICES.flatMap(({ scope, name, variable }) => [
      [`${variable}_SECRET`, toSecret(name)],
      [`${variable}_SCOPES`, scope === 'none' ? '' : scope],
    ]),
  ),
};

const document = await loadOpenApiDocument(new URL(import.meta.resolve('@platform/openapi/internal.yaml')));

const sendWith = ({ method, route }: Operation, url: string, name: string) =>
  send(url, method.toUpperCase(), route.replace(/:\w+/g, 'no-id'), {
    headers: { Authorization: basicAuth(name, toSecret(name)) },
  });

/**
 * Requests every operation of the tag with every scope. The requests are invalid: a missing scope comes first.
 */
export const describeScopes = (tag: 'auth-service' | 'admin-service', url: () => string): void => {
  for (const operation of listOperations(selectOperations(document, tag))) {
    const required = operation.security[0]?.['service']?.[0] ?? '';
    it(`${operation.name} requires ${required}`, async () => {
      const allowed: string[] = [];
      for (const { scope, name } of SERVICES) {
        const { status, body } = await sendWith(operation, url(), name);
        if (status !== 403) allowed.push(scope);
        else expect(body).to.include({ code: 'SCOPE_MISSING' }).and.property('message').include(required);
      }
      const including = required.endsWith(':read') ? [required.replace(':read', ':write')] : [];
      const known = including.filter((scope) => SCOPES.some((each) => each === scope));
      expect(allowed).to.have.members([required, ...known]);
    });
  }
};
