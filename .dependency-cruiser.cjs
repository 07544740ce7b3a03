// Who may import whom: each line of the architecture's import table is a rule here, run by `npm run check`.
// Paths are the resolved ones, relative to the root: `@platform/shared/db/database` is shared/src/db/database.ts.

const PROCESSES = 'gateway|auth-service|admin-service|mailer-worker';
const WORKSPACES = `${PROCESSES}|shared|openapi|dev`;
/** Folders at the root whose files serve development and never run in production. */
const DEVELOPMENT = 'dev|bench|tools|test';
const TESTS = ['\\.test\\.ts$', '^test/', '^[^/]+/(?:test|testing)/'];

// In `from`, $1 is the service and $2 the feature folder.
const FEATURE = '^(auth-service|admin-service)/src/([^/]+)/';
/** Types and pure decisions of a feature: the part that every other feature may import. */
const DOMAIN =
  '(?:account|email-code|password-policy|password-throttle|project|session|team|user|workspace)\\.ts$';
const OWN_DOMAIN = `^$1/src/$2/${DOMAIN}`;
const ANY_DOMAIN = `^$1/src/[^/]+/${DOMAIN}`;
/** Pure mappings of a feature: rows to domain types, domain types to response bodies. */
const MAPPERS = '^$1/src/[^/]+/[^/]+-(?:mapper|dto)\\.ts$';

/** The files beside main.ts belong to the whole service: its kinds, its security, its stores. */
const serviceWide = ({ except }) => `^$1/src/(?!(?:main|compose|config|${except})\\.ts$)[^/]+\\.ts$`;
/** Data that every layer of a service may read. */
const KINDS = '^$1/src/kinds\\.ts$';
/** Pagination, search and totals of lists. */
const LISTS = '^$1/src/lists/';
const GENERATED_TYPES = '^openapi/types/';
const DATABASES = '(?:^|/)node_modules/(?:@types/)?(?:knex|pg|redis|@redis|bullmq)/';

const forbid = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

/** What `from` may import: `values` in any way, `types` with `import type`, and nothing else. */
const allowOnly = (name, comment, from, { values = [], types = [], core = false }) => [
  forbid(name, comment, from, {
    pathNot: [...values, ...types],
    ...(core && { dependencyTypesNot: ['core'] }),
  }),
  ...(types.length === 0
    ? []
    : [
        forbid(`${name}-as-types`, `${comment} This one only with \`import type\`.`, from, {
          path: types,
          ...(values.length > 0 && { pathNot: values }),
          dependencyTypesNot: ['type-only'],
        }),
      ]),
];

const files = (role) => ({ path: `${FEATURE}[^/]*-${role}\\.ts$` });

const layers = [
  ...allowOnly(
    'main-starts-and-stops',
    'main.ts loads the config, composes, serves and stops: config, compose and shared/http/serve.',
    { path: `^(${PROCESSES})/src/main\\.ts$` },
    { values: ['^$1/src/(?:config|compose)\\.ts$', '^shared/src/http/serve\\.ts$'] },
  ),
  forbid(
    'compose-wires-its-own-service',
    'compose.ts wires what its own service and shared offer, never another service.',
    { path: `^(${PROCESSES})/src/compose\\.ts$` },
    { path: `^(?!$1/|shared/|openapi/)(?:${WORKSPACES}|${DEVELOPMENT})/` },
  ),
  ...allowOnly(
    'app-is-the-http-pipeline',
    "app.ts and security.ts know HTTP and tokens: routes' types, the domain files, shared/http, shared/tokens; no " +
      'database, no stores.',
    { path: '^(auth-service|admin-service)/src/(?:app|security)\\.ts$' },
    {
      core: true,
      values: [
        '^$1/src/security\\.ts$',
        KINDS,
        ANY_DOMAIN,
        '^$1/src/sessions/session-(?:tokens|metrics)\\.ts$',
        '^shared/src/(?:http|tokens|errors|log|metrics|access|passwords)/',
        '(?:^|/)node_modules/(?!(?:@types/)?(?:knex|pg|redis|@redis|bullmq)/)',
      ],
      types: [
        '^shared/src/audit/',
        '^$1/src/(?:operations|config)\\.ts$',
        '^$1/src/.*-routes\\.ts$',
        GENERATED_TYPES,
      ],
    },
  ),
  forbid(
    'routes-speak-http',
    "*-routes.ts maps HTTP to its own service and back: its feature's files, generated types, shared/http, " +
      'shared/errors; no database.',
    files('routes'),
    { path: [DATABASES, '^shared/src/(?:db|redis|mail|config)/', '^$1/src/(?:app|compose|config)\\.ts$'] },
  ),
  ...allowOnly(
    'services-hold-the-rules',
    '*-service.ts decides with its domain file, store types and shared/errors, the rest of shared by type; ' +
      'no Express, no generated types, no database.',
    files('service'),
    {
      values: [OWN_DOMAIN, KINDS, '^shared/src/(?:errors|access)/', '^crypto$'],
      types: [
        ANY_DOMAIN,
        LISTS,
        '^$1/src/$2/[^/]*-(?:store|tokens|metrics)\\.ts$',
        serviceWide({ except: 'app|operations' }),
        '^shared/src/(?!db/|http/)',
      ],
    },
  ),
  ...allowOnly(
    'stores-speak-sql',
    '*-store.ts speaks SQL or Redis and nothing else: knex, redis, shared/db, shared/errors, its domain file, other ' +
      'domain types, the mappers of rows; no service, no routes, no Express.',
    files('store'),
    {
      values: [
        '(?:^|/)node_modules/(?:@types/)?(?:knex|pg|redis|rate-limiter-flexible)/',
        '^crypto$',
        '^shared/src/(?:db|redis|errors|access)/',
        '^$1/src/$2/[^/]*-scripts\\.ts$',
        MAPPERS,
        LISTS,
        OWN_DOMAIN,
        KINDS,
      ],
      types: [ANY_DOMAIN, '^shared/src/(?:audit|config|tokens)/'],
    },
  ),
  ...allowOnly(
    'domain-is-pure',
    'A domain file holds types and pure decisions: shared/errors, kinds.ts and other domain types.',
    { path: `${FEATURE}${DOMAIN}` },
    {
      values: ['^shared/src/(?:errors|access)/', KINDS, '(?:^|/)node_modules/@zxcvbn-ts/'],
      types: [ANY_DOMAIN, LISTS],
    },
  ),
  ...allowOnly(
    'mappers-are-pure',
    'A mapper or DTO maps values: domain types, generated types and kinds.ts.',
    { path: `${FEATURE}[^/]+-(?:mapper|dto)\\.ts$` },
    { values: [MAPPERS, KINDS, ANY_DOMAIN, '^shared/src/access/'], types: [GENERATED_TYPES] },
  ),
  forbid(
    'features-do-not-meet',
    "A feature imports of another one only its domain file and its mappers: compose.ts passes it the other's functions.",
    { path: FEATURE, pathNot: TESTS },
    { path: '^$1/src/(?!$2/)[^/]+/', pathNot: [ANY_DOMAIN, MAPPERS, LISTS] },
  ),
  ...allowOnly(
    'templates-are-pure',
    'A mail template turns props into subject, text and html: the types of shared/mail and other templates.',
    { path: '^mailer-worker/src/templates/', pathNot: TESTS },
    { values: ['^mailer-worker/src/templates/'], types: ['^shared/src/mail/'] },
  ),
];

const workspaces = [
  forbid(
    'services-do-not-meet',
    'A service imports shared and openapi, never another service: they meet over HTTP, the queue or the database.',
    { path: `^(${PROCESSES})/` },
    { path: `^(?!$1/)(?:${PROCESSES})/` },
  ),
  forbid(
    'gateway-knows-addresses-only',
    'The gateway knows prefixes, limits and addresses: no tokens, no database, no business words.',
    { path: '^gateway/' },
    {
      path: [
        '(?:^|/)node_modules/(?:@types/)?(?:knex|pg|jsonwebtoken)/',
        '^openapi/',
        '^shared/src/(?:db|tokens|passwords)/',
      ],
    },
  ),
  forbid(
    'shared-serves-everyone',
    'shared is mechanism on npm packages: it knows no service and no contract.',
    { path: '^shared/' },
    { path: `^(?!shared/)(?:${WORKSPACES}|${DEVELOPMENT})/` },
  ),
  forbid(
    'openapi-depends-on-nothing',
    'The contract depends on nothing; its generator only on npm packages.',
    { path: '^openapi/' },
    { path: `^(?!openapi/)(?:${WORKSPACES}|${DEVELOPMENT})/` },
  ),
  ...allowOnly(
    'client-runs-in-browsers',
    "The client is what a browser loads: openapi-fetch, the documents' types and nothing of Node.",
    { path: '^openapi/client/src/', pathNot: TESTS },
    { values: ['^openapi/client/src/', '(?:^|/)node_modules/openapi-fetch/'], types: [GENERATED_TYPES] },
  ),
  forbid(
    'workspaces-by-name',
    'Another workspace is imported by its name, @platform/<workspace>/…, so that its exports decide what is public.',
    { path: `^(${WORKSPACES})/` },
    { path: `^(?!$1/)(?:${WORKSPACES})/`, dependencyTypes: ['local'] },
  ),
  forbid(
    'production-runs-without-development',
    'What runs in production imports nothing of dev, bench, checks or tests.',
    { path: `^(?:${PROCESSES}|shared|openapi)/`, pathNot: TESTS },
    { path: [`^(?:${DEVELOPMENT})/`, '^[^/]+/test/', '\\.test\\.ts$'] },
  ),
  forbid(
    'testing-stays-in-tests',
    'shared/testing is for tests and benchmarks.',
    { pathNot: [...TESTS, '^bench/', '^tools/'] },
    { path: '^shared/testing/' },
  ),
  forbid(
    'system-tests-are-black-box',
    'A system test sees the running stack from outside: no import from a service.',
    // The race of role assignments needs two of them at the same moment, which two processes never are.
    { path: '^test/', pathNot: '^test/resilience/races/roles\\.ts$' },
    { path: `^(?:${PROCESSES})/` },
  ),
];

const cycles = forbid('no-cycles', 'A cycle has no first file to read.', {}, { circular: true });

/** Requires of the files at `path` a dependency that cannot exist, so each is reported even when nothing imports it. */
const banish = (name, comment, path) => ({
  name,
  comment,
  severity: 'error',
  module: { path, pathNot: 'node_modules' },
  to: { path: '^$' },
});

const banished = [
  banish(
    'no-barrels',
    'An index file hides where a thing lives: import the file that has it.',
    '(?:^|/)index\\.[cm]?[jt]s$',
  ),
  banish(
    'no-catch-all-folders',
    'utils, helpers, common and lib say nothing: name the folder after what its files are about.',
    '(?:^|/)(?:utils?|helpers?|common|libs?)/',
  ),
];

module.exports = {
  forbidden: [...layers, ...workspaces, cycles],
  required: banished,
  options: {
    doNotFollow: { path: '(?:^|/)(?:node_modules|\\.data|\\.bench)(?:/|$)' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.js', '.mjs', '.cjs', '.json'],
    },
    skipAnalysisNotInRules: true,
  },
};
