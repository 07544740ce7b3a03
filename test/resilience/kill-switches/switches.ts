import type { Process } from './platform.ts';

type Offers = { methods: readonly string[]; providers: readonly string[] };

export type Switch = {
  process: Process;
  settings: Record<string, string>;
  /** Whether an operation stops. All others go on. */
  stops: (operation: string) => boolean;
  /** How an operation ends that has stopped. */
  result: string;
  /** The offers of the sign-in page while it is set, where they differ from OFFERS. */
  offers?: Partial<Offers>;
};

/** The offers of the sign-in page without a switch. */
export const OFFERS: Offers = {
  methods: ['password', 'email-code', 'passkey'],
  providers: ['company', 'partner'],
};

/** The gateway never stops these: health checks, and requests that do not pass it. */
const ALWAYS = ['health check', "an attacker's health check", 'introspection by another service'];
const UNAVAILABLE = '503 SERVICE_UNAVAILABLE, Retry-After 300';

const named =
  (...operations: string[]) =>
  (operation: string): boolean =>
    operations.includes(operation);

/** The switches of docs/runbooks.md, as an operator sets them. */
export const SWITCHES: readonly Switch[] = [
  {
    process: 'auth-service',
    settings: { SIGN_UP: 'off' },
    stops: named('sign-up with a password', 'sign-up with a provider', 'sign-up with another provider'),
    result: UNAVAILABLE,
  },
  {
    process: 'auth-service',
    settings: { EMAIL_CODE_SIGN_IN: 'off' },
    stops: named('sign-in with a mailed code'),
    result: '404 ROUTE_NOT_FOUND',
    offers: { methods: ['password', 'passkey'] },
  },
  {
    process: 'auth-service',
    settings: { OIDC_PROVIDERS: 'partner' },
    stops: named('sign-up with a provider', 'sign-in with a provider', 'start of a link to a provider'),
    result: '404 PROVIDER_NOT_FOUND',
    offers: { providers: ['partner'] },
  },
  {
    process: 'gateway',
    settings: { BLOCKED_PATHS: '/api/v1/contact' },
    stops: named('contact form'),
    result: UNAVAILABLE,
  },
  {
    process: 'gateway',
    settings: { BLOCKED_PATHS: '/' },
    stops: (operation) => !ALWAYS.includes(operation),
    result: UNAVAILABLE,
  },
  {
    process: 'gateway',
    settings: { BLOCKED_NETWORKS: '203.0.113.0/24' },
    stops: named("an attacker's sign-in", "an attacker's me"),
    result: '429 RATE_LIMITED, Retry-After 300',
  },
];
