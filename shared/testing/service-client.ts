import { type RequestOptions, send } from './responses.ts';

/** Another service of the marketplace, as in the settings of the tests. */
export const SERVICE = { name: 'projects', secret: 'projects-secret-of-the-tests-0000000000009' };
export const SERVICE_ENVIRONMENT = { SERVICES: SERVICE.name, SERVICE_PROJECTS_SECRET: SERVICE.secret };

export const basic = (name: string, secret: string): string =>
  `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}`;

/** A client of the internal operations. By default it sends the credentials of the service above. */
export const createServiceClient = (
  url: string | (() => string),
  authorization = basic(SERVICE.name, SERVICE.secret),
) => {
  const call = (method: string, path: string, { headers, ...options }: RequestOptions = {}) =>
    send(typeof url === 'string' ? url : url(), method, `/internal/v1${path}`, {
      ...options,
      headers: { Authorization: authorization, ...headers },
    });
  return {
    get: (path: string) => call('GET', path),
    /** Sends the fields as a form. */
    introspect: (fields: Record<string, string>) =>
      call('POST', '/introspect', {
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(fields).toString(),
      }),
  };
};
