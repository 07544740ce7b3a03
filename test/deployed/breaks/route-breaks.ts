import { onRoute, type PlantedBreak, setHeaders } from '../breaking-proxy.ts';

/** Each break is on its own route, so that none hides another. */
export const ROUTE_BREAKS: readonly PlantedBreak[] = [
  {
    name: 'a missing X-Request-Id',
    apply: setHeaders(/^GET \/healthz$/, { 'x-request-id': undefined }),
    line: /^GET \/healthz: .*no header X-Request-Id/,
  },
  {
    name: 'a missing RateLimit',
    apply: setHeaders(/^GET \/readyz$/, { ratelimit: undefined }),
    line: /^GET \/readyz: .*no header RateLimit\b/,
  },
  {
    name: 'a missing security header on errors',
    apply: setHeaders(/^GET \/check-deployed$/, { 'x-content-type-options': undefined }),
    line: /^X-Content-Type-Options on data, errors and pages: .*it is missing/,
  },
  {
    name: 'inline scripts on a documentation page',
    apply: setHeaders(/^GET \/api\/$/, {
      'content-security-policy': "default-src 'self';script-src 'unsafe-inline';frame-ancestors 'none'",
    }),
    line: /^Content-Security-Policy on data, errors and pages: .*it is default-src 'self';script-src/,
  },
  {
    name: 'public metrics',
    apply: onRoute(/^GET \/metrics$/, (_request, { headers }) => ({
      status: 200,
      text: 'up 1',
      headers: { ...headers, 'content-type': 'text/plain' },
    })),
    line: /^GET \/metrics: not public: .*200 instead of 404/,
  },
  {
    name: 'CORS for every origin',
    apply: setHeaders(/^GET \/api\/v1$/, { 'access-control-allow-origin': '*' }),
    line: /^CORS: no header for the origin https:.*the headers access-control-allow-origin/,
  },
  {
    name: 'no credentials for the origin of the frontend',
    apply: setHeaders(/^OPTIONS /, { 'access-control-allow-credentials': undefined }),
    line: /^CORS: a preflight allows .*no credentials are allowed/,
  },
  {
    name: 'headers that name the software',
    apply: setHeaders(/^GET \/api\/v1$/, { server: 'nginx/1.18', 'x-powered-by': 'Express' }),
    line: /the header X-Powered-By names the software.*; the header Server names the software/,
  },
];
