import type { HttpResponse } from '@platform/shared/testing/http-client';
import type { Check, Probe, Section } from '../probe.ts';

/** The domain is reserved (RFC 2606), so no deployment allows it. */
const FOREIGN_ORIGINS = ['https://check-deployed.invalid', 'null'];
const REQUEST_HEADERS = ['authorization', 'content-type', 'x-fingerprint', 'x-session-id', 'x-request-id'];
const EXPOSED_HEADERS = ['X-Request-Id', 'Retry-After', 'RateLimit', 'RateLimit-Policy'];
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

const checkForeignOrigin = (origin: string): Check => ({
  name: `CORS: no header for the origin ${origin}`,
  run: async (probe) => {
    const responses = [await sendPreflight(probe, origin)];
    for (const path of PATHS) responses.push(await probe.call({ path, headers: { Origin: origin } }));
    for (const response of responses) {
      const names = Object.keys(response.headers).filter((name) => name.startsWith('access-control-'));
      probe.check(names.length === 0, `the headers ${names.join(', ')}`, response);
      probe.check(listValues(response, 'vary').includes('origin'), 'Vary does not name Origin', response);
    }
  },
});

const checkAllowed = ({ check }: Probe, origin: string, response: HttpResponse): void => {
  const { headers } = response;
  check(headers['access-control-allow-origin'] === origin, `${origin} is not allowed`, response);
  check(headers['access-control-allow-credentials'] === 'true', 'no credentials are allowed', response);
};

const allowedOriginChecks = (origin: string): Check[] => [
  {
    name: `CORS: ${origin} may read responses and errors`,
    run: async (probe) => {
      for (const path of PATHS) {
        const response = await probe.call({ path, headers: { Origin: origin } });
        checkAllowed(probe, origin, response);
        const exposed = listValues(response, 'access-control-expose-headers');
        for (const name of EXPOSED_HEADERS)
          probe.check(exposed.includes(name.toLowerCase()), `${name} is not exposed`, response);
      }
    },
  },
  {
    name: `CORS: a preflight allows ${origin} the methods and headers of the API`,
    run: async (probe) => {
      const response = await sendPreflight(probe, origin);
      probe.expect(response, 204);
      checkAllowed(probe, origin, response);
      for (const [header, values] of [
        ['access-control-allow-methods', ['get', 'post', 'patch', 'delete']],
        ['access-control-allow-headers', REQUEST_HEADERS],
      ] as const) {
        const allowed = listValues(response, header);
        for (const value of values) probe.check(allowed.includes(value), `${value} is not allowed`, response);
      }
    },
  },
];

const withoutOrigin: Check = {
  name: 'CORS: the origin of a frontend',
  run: async ({ skip }) => skip('give one with --origin'),
};

export const originSection = (origin: string | undefined): Section => ({
  title: 'Other origins',
  checks: () => [
    ...FOREIGN_ORIGINS.map(checkForeignOrigin),
    ...(origin === undefined ? [withoutOrigin] : allowedOriginChecks(origin)),
  ],
});
