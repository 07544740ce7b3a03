import type { handledOperations as InternalOperations } from '@platform/openapi/types/internal';
import { createContractClient, readContract } from './contract-client.ts';
import { createValidatingSender } from './responses.ts';

/** Another service of the marketplace, as in the settings of the tests. */
export const SERVICE = { name: 'projects', secret: 'projects-secret-of-the-tests-0000000000009' };
export const SERVICE_ENVIRONMENT = {
  SERVICES: SERVICE.name,
  SERVICE_PROJECTS_SECRET: SERVICE.secret,
  SERVICE_PROJECTS_SCOPES: 'introspect,users:read,events:read,projects:write,teams:write,mails:send',
};

export const basicAuth = (name: string, secret: string): string =>
  `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}`;

const contract = await readContract('internal');

/** The client of a service for the internal operations, with the credentials of the service above. */
export const createServiceClient = (baseUrl: string) =>
  createContractClient<InternalOperations>(contract, createValidatingSender(baseUrl), {
    headers: { Authorization: basicAuth(SERVICE.name, SERVICE.secret) },
  });
