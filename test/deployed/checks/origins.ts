import type { HttpResponse } from '@platform/shared/testing/http-client';
import type { Checks, Probe, Section } from '../probe.ts';

/** The domain is reserved (RFC 2606), so no deployment allows it. */
const FOREIGN_ORIGINS = ['https://check-deployed.invalid', 'null'];
const REQUEST_HEADERS = ['authorization', 'content-type', 'x-fingerprint', 'x-session-id', 'x-request-id'];
const EXPOSED_HEADERS = ['x-request-id', 'retry-after', 'ratelimit', 'ratelimit-policy'];
/** A success, a token error and an unknown route. */
const PATHS = ['/api/v1', '/api/v1/auth/me', '/check-deployed'];

const sendPreflight = ({ call }: Probe, origin: string): Promise<HttpResponse> =>
  call({
    method: 'OPTIONS',
    path: '/api/v1/customers/auth/sign-in',
    headers: {
      Origin: origin,
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': REQUEST_HEADERS.join(','),
    },
  });

const listValues = ({ headers }: HttpResponse, name: string): string[] =>
  String(headers[name] ?? '')
    .toLowerCase()
    .split(/\s*,\s*/);

const foreignOriginCheck: Checks = {
  async 'CORS: no header for foreign origins'(probe) {
    for (const origin of FOREIGN_ORIGINS) {
      const responses = [await sendPreflight(probe, origin)];
      for (const path of [...PATHS, ...probe.servicePaths])
        responses.push(await probe.call({ path, headers: { Origin: origin } }));
      for (const response of responses) {
        const names = Object.keys(response.headers).filter((name) => name.startsWith('access-control-'));
        probe.check(names.length === 0, `the headers ${names.join(', ')} for ${origin}`, response);
        probe.check(listValues(response, 'vary').includes('origin'), 'Vary does not name Origin', response);
      }
    }
  },
};

const checkAllowed = (
  { getOrigin, check }: Probe,
  response: HttpResponse,
  header: string,
  values: readonly string[],
): void => {
  const { headers } = response;
  const origin = getOrigin();
  check(headers['access-control-allow-origin'] === origin, `${origin} is not allowed`, response);
  check(headers['access-control-allow-credentials'] === 'true', 'no credentials are allowed', response);
  const allowed = listValues(response, header);
  for (const value of values) check(allowed.includes(value), `${header} lacks ${value}`, response);
};

const allowedOriginChecks: Checks = {
  async 'CORS: the origin of the frontend may read responses and errors'(probe) {
    for (const path of [...PATHS, ...probe.servicePaths]) {
      const response = await probe.call({ path, headers: { Origin: probe.getOrigin() } });
      checkAllowed(probe, response, 'access-control-expose-headers', EXPOSED_HEADERS);
    }
  },
  async 'CORS: a preflight allows the origin of the frontend the methods and headers of the API'(probe) {
    const response = await probe.expect(sendPreflight(probe, probe.getOrigin()), 204);
    checkAllowed(probe, response, 'access-control-allow-methods', ['get', 'post', 'patch', 'delete']);
    checkAllowed(probe, response, 'access-control-allow-headers', REQUEST_HEADERS);
  },
};

export const originSection: Section = {
  title: 'Other origins',
  checks: () => [foreignOriginCheck, allowedOriginChecks],
};
