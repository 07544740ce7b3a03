// The import rules of the architecture, run by `npm run check`.
// Paths are resolved and relative to the root: `@platform/shared/db/database` is shared/src/db/database.ts.

const PROCESSES = 'gateway|auth-service|admin-service|mailer-worker|deploy/probe';
const WORKSPACES = `${PROCESSES}|migrate|shared|openapi|dev|web|test-bench`;
/** Root folders that never run in production. */
const DEVELOPMENT = 'dev|bench|tools|test|test-bench';
const TESTS = ['\\.test\\.tsx?$', '^test/', '^(?:web/console|[^/]+)/(?:test|testing)/'];

// In `from`, $1 is the service and $2 the feature folder.
const FEATURE = '^(auth-service|admin-service)/src/([^/]+)/';
const role = (name) => `[^/]*-${name}\\.ts$`;
/**
 * The roles of the files of a feature, by the last word of their names. An adapter wraps a library or a
 * mechanism of shared, and settings read a part of the configuration.
 */
const ROLES = '(?:routes|service|store|scripts|mapper|adapter|settings|feature)';
/** Domain files (types and pure decisions) have no role. Other features may import them. */
const DOMAIN = `(?!${role(ROLES)})[^/.]+\\.ts$`;
const ANY_DOMAIN = `^$1/src/[^/]+/${DOMAIN}`;
/** Pure mappings: rows to domain types, and domain types to response bodies. */
const ANY_MAPPER = `^$1/src/[^/]+/${role('mapper')}`;
const ANY_SERVICE = `^$1/src/[^/]+/${role('service')}`;
const ANY_FEATURE = `^$1/src/[^/]+/${role('feature')}`;
/** Texts of scripts that several stores run. */
const ANY_SCRIPTS = `^$1/src/[^/]+/${role('scripts')}`;
/** The types of stores, adapters and settings say what a service uses, of an earlier feature as well. */
const ANY_USED = `^$1/src/[^/]+/[^/]*-(?:store|adapter|settings)\\.ts$`;
const own = (name) => `^$1/src/$2/${role(name)}`;

/** The root files of a service that its features may import; they import no feature. */
const FOUNDATION = '(?:kinds|infrastructure|mail-metrics|queue-worker)\\.ts$';
const WITH_FEATURES = 'auth-service|admin-service|mailer-worker';
/** Static data that every layer of a service may import. */
const KINDS = '^$1/src/kinds\\.ts$';
/** Mechanisms of shared that access nothing outside the process. */
const PURE =
  '^shared/src/(?:errors/|tokens/|platform/(?:access/|audit/audit-position\\.ts$|codes/|accounts/(?![^/]*-store\\.ts$)|mail/mail\\.ts$|platform-cookies\\.ts$|profile\\.ts$)|network/(?:client-address|web-url)\\.ts$|http/(?:entity-tag|text-rules|language|request-context)\\.ts$)';
/**
 * The mechanisms of shared/src from the bottom to the top: a folder imports its own layer and those before it.
 */
const SHARED_LAYERS = [
  'async|errors|network',
  'config',
  'encryption|metrics|tokens|tracing',
  'log',
  'db|http|redis',
  'openapi|server',
];
const GENERATED_TYPES = '^openapi/types/';
const DATABASES = '(?:^|/)node_modules/(?:@types/)?(?:knex|pg|redis|@redis|bullmq)/';

/** The folders that both applications of web/ use, from the lowest to the highest. */
const PAGE_LAYERS = ['page', 'words', 'session', 'components', 'signing-in', 'own-account'];

/** The folders of web/components/, from the lowest to the highest; the first is what lies flat. */
const COMPONENT_LAYERS = ['', 'keys', 'dialogs', 'forms', 'frame', 'lists'];

const forbid = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

/**
 * Creates an allow-list: `from` may import `values` in any way, and `types` only with `import type`. With
 * `of`, the list applies only to imports of these files.
 */
const allowOnly = (name, comment, from, { values = [], types = [], of, core = false }) => [
  forbid(name, comment, from, {
    ...(of && { path: of }),
    pathNot: [...values, ...types],
    ...(core && { dependencyTypesNot: ['core'] }),
  }),
  ...(types.length === 0
    ? []
    : [
        forbid(`${name}-as-types`, `${comment} Import this file only with \`import type\`.`, from, {
          path: types,
          ...(values.length > 0 && { pathNot: values }),
          dependencyTypesNot: ['type-only'],
        }),
      ]),
];

const files = (name) => ({ path: `${FEATURE}${role(name)}` });

const layers = [
  ...allowOnly(
    'main-starts-the-service',
    'main.ts imports config, compose and shared/server/serve only.',
    { path: `^(${PROCESSES})/src/main\\.ts$` },
    { values: ['^$1/src/(?:config|compose)\\.ts$', '^shared/src/server/serve\\.ts$'] },
  ),
  forbid(
    'compose-stays-in-its-service',
    'compose.ts wires its own service and shared, never another service.',
    { path: `^(${PROCESSES})/src/compose\\.ts$` },
    { path: `^(?!$1/|shared/|openapi/)(?:${WORKSPACES}|${DEVELOPMENT})/` },
  ),
  ...allowOnly(
    'app-without-database',
    'app.ts and authentication/ handle HTTP and tokens: types of routes and features, domain files, shared/http, ' +
      'shared/openapi, shared/tokens; no database and no stores.',
    { path: `^(auth-service|admin-service)/src/(?:app\\.ts$|authentication/${DOMAIN})` },
    {
      core: true,
      values: [
        KINDS,
        ANY_DOMAIN,
        '^shared/src/(?:http|openapi|network|tokens|errors|log|metrics|platform/(?:access/|services/|profile\\.ts$))',
        '(?:^|/)node_modules/(?!(?:@types/)?(?:knex|pg|redis|@redis|bullmq)/)',
      ],
      types: [
        ANY_FEATURE,
        GENERATED_TYPES,
        '^shared/src/platform/audit/',
        '^$1/src/config\\.ts$',
        `^$1/src/[^/]+/${role('routes')}`,
      ],
    },
  ),
  forbid(
    'routes-without-database',
    "*-routes.ts maps HTTP requests and responses: its feature's services and domain files, generated types, " +
      'shared/http, shared/errors; no database and no stores, not even their types: lists go through a service.',
    files('routes'),
    { path: [DATABASES, role('store'), '^shared/src/(?:db|redis|config)/'] },
  ),
  ...allowOnly(
    'services-without-http-and-database',
    "*-service.ts holds business rules: domain files, its feature's services, types of stores, adapters, earlier features' " +
      'services and shared; no Express, no generated types, no database.',
    files('service'),
    {
      values: [ANY_DOMAIN, KINDS, PURE, own('service'), '^(?:crypto|timers/promises)$'],
      types: [ANY_SERVICE, ANY_USED, `^$1/src/${FOUNDATION}`, '^shared/src/(?!db/|http/|openapi/|server/)'],
    },
  ),
  ...allowOnly(
    'stores-only-access-data',
    '*-store.ts contains SQL or Redis commands: knex, redis, shared/db, shared/errors, domain files, row mappers; ' +
      'no services, no routes, no Express.',
    files('store'),
    {
      values: [
        '(?:^|/)node_modules/(?:@types/)?(?:knex|pg|redis|rate-limiter-flexible)/',
        '^crypto$',
        '^shared/src/(?:db|redis|encryption|platform/audit)/',
        PURE,
        KINDS,
        ANY_DOMAIN,
        ANY_MAPPER,
        ANY_SCRIPTS,
      ],
      types: ['^shared/src/(?:platform|config|log|tokens)/'],
    },
  ),
  ...allowOnly(
    'domain-is-pure',
    'A domain file holds types and pure decisions: other domain files, kinds.ts, shared/errors, and types of shared.',
    { path: `${FEATURE}${DOMAIN}`, pathNot: '/authentication/' },
    {
      values: [ANY_DOMAIN, KINDS, PURE, '^crypto$'],
      types: [
        `^$1/src/[^/]+/${role('settings')}`,
        '^shared/src/',
        '(?:^|/)node_modules/@simplewebauthn/server/',
      ],
    },
  ),
  ...allowOnly(
    'mappers-are-pure',
    'A mapper maps values: domain files, generated types and kinds.ts only.',
    files('mapper'),
    { values: [ANY_MAPPER, ANY_DOMAIN, KINDS, PURE], types: [GENERATED_TYPES] },
  ),
  ...allowOnly(
    'settings-read-the-configuration',
    '*-settings.ts reads variables: shared/config, kinds.ts; no services and no stores.',
    files('settings'),
    { values: ['^shared/src/config/', KINDS, '(?:^|/)node_modules/envalid/', '^net$'] },
  ),
  ...allowOnly(
    'features-are-isolated',
    'A feature imports only domain files, mappers and scripts of another feature, and with `import type` its other files ' +
      'but routes: compose.ts passes their values.',
    { path: FEATURE, pathNot: TESTS },
    {
      of: '^$1/src/[^/]+/',
      values: ['^$1/src/$2/', ANY_DOMAIN, ANY_MAPPER, ANY_SCRIPTS],
      types: [ANY_SERVICE, ANY_USED, ANY_FEATURE],
    },
  ),
  forbid(
    'features-import-no-wiring',
    'A feature imports from the root of its service only kinds.ts, infrastructure.ts and mechanisms. The other files there ' +
      'import all features, so they would hide an import from a feature to a later one.',
    { path: `^(${WITH_FEATURES})/src/[^/]+/`, pathNot: TESTS },
    { path: '^$1/src/[^/]+$', pathNot: `^$1/src/${FOUNDATION}` },
  ),
  forbid(
    'foundation-imports-no-feature',
    'kinds.ts, infrastructure.ts and mechanisms are imported by all features, so they import none.',
    { path: `^(${WITH_FEATURES})/src/${FOUNDATION}` },
    { path: '^$1/src/', pathNot: `^$1/src/${FOUNDATION}` },
  ),
  {
    ...forbid(
      'features-have-an-order',
      'Two features do not import each other, not even the types of stores: the later one imports the earlier one.',
      { path: '^(?:auth-service|admin-service)/src/[^/]+$' },
      { circular: true },
    ),
    scope: 'folder',
  },
  ...allowOnly(
    'templates-are-pure',
    'A mail template renders subject, text and HTML from its props: other templates, the colours of the brand, escapeHtml, describeDevice and types of platform/mail only.',
    { path: '^mailer-worker/src/templates/', pathNot: TESTS },
    {
      values: [
        '^mailer-worker/src/templates/',
        '^shared/src/appearance/',
        '^shared/src/http/escape-html\\.ts$',
        '^openapi/client/src/device-name\\.ts$',
        '^shared/src/platform/codes/email-code\\.ts$',
        '^url$',
      ],
      types: ['^shared/src/(?:platform/mail/|http/language\\.ts$|config/appearance\\.ts$)'],
    },
  ),
];

const workspaces = [
  forbid(
    'services-are-isolated',
    'A service never imports another one: services communicate over HTTP, the queue or the database.',
    { path: `^(${PROCESSES}|migrate)/` },
    { path: `^(?!$1/)(?:${PROCESSES}|migrate)/` },
  ),
  forbid(
    'gateway-without-business-logic',
    'The gateway routes by prefix: no tokens, no database, no contract types.',
    { path: '^gateway/' },
    {
      path: [
        '(?:^|/)node_modules/(?:@types/)?(?:knex|pg|jsonwebtoken)/',
        '^openapi/',
        '^shared/src/(?:db|tokens)/',
      ],
    },
  ),
  forbid(
    'shared-imports-no-workspace',
    'shared imports npm packages only: no service and no contract.',
    { path: '^shared/', pathNot: '^shared/testing/' },
    { path: `^(?!shared/)(?:${WORKSPACES}|${DEVELOPMENT})/` },
  ),
  forbid(
    'mechanism-without-business',
    'shared/src/platform contains what the services share of the business; the rest of shared imports none of it.',
    { path: '^shared/src/(?!platform/)', pathNot: TESTS },
    { path: '^shared/src/platform/' },
  ),
  ...SHARED_LAYERS.slice(0, -1).map((layer, index) =>
    forbid(
      `shared-layer-${index + 1}`,
      `In shared/src, ${layer.replaceAll('|', ', ')} import no layer above (SHARED_LAYERS).`,
      { path: `^shared/src/(?:${layer})/`, pathNot: TESTS },
      { path: `^shared/src/(?:${SHARED_LAYERS.slice(index + 1).join('|')})/` },
    ),
  ),
  forbid(
    'openapi-imports-no-workspace',
    'openapi imports npm packages only.',
    { path: '^openapi/' },
    { path: `^(?!openapi/)(?:${WORKSPACES}|${DEVELOPMENT})/` },
  ),
  ...allowOnly(
    'client-runs-in-browsers',
    'The typed client runs in browsers: simplewebauthn, altcha-lib, bowser, React and generated types, no Node modules.',
    { path: '^openapi/client/src/', pathNot: TESTS },
    {
      values: [
        '^openapi/client/src/',
        '(?:^|/)node_modules/@simplewebauthn/browser/',
        '(?:^|/)node_modules/altcha-lib/',
        '(?:^|/)node_modules/bowser/',
        '^react$',
        '(?:^|/)node_modules/react/',
      ],
      types: [GENERATED_TYPES],
    },
  ),
  forbid(
    'pages-import-only-the-client',
    'The pages run in browsers: the rest of web/, @platform/client and npm packages, no service and no shared code.',
    { path: '^web/', pathNot: TESTS },
    { path: `^(?!web/|openapi/client/)(?:${WORKSPACES}|${DEVELOPMENT})/` },
  ),
  forbid(
    'applications-are-isolated',
    'web/console and web/account share the other folders of web/, which import neither of them.',
    { path: '^web/([^/]+)/' },
    { path: '^web/(?:console|account)/', pathNot: '^web/$1/' },
  ),
  ...PAGE_LAYERS.slice(0, -1).map((layer, index) =>
    forbid(
      `pages-import-downwards-from-${layer}`,
      `In web/, a folder imports only those before it: ${PAGE_LAYERS.join(', ')}, then the applications.`,
      { path: `^web/${layer}/`, pathNot: TESTS },
      { path: `^web/(?:${PAGE_LAYERS.slice(index + 1).join('|')}|[^/]+$)` },
    ),
  ),
  forbid(
    'screens-are-isolated',
    'A screen of the console imports no other screen: what several need is in web/console/records/ or beside it.',
    { path: '^web/console/([^/]+)/', pathNot: TESTS },
    { path: '^web/console/[^/]+/', pathNot: '^web/console/(?:$1|records)/' },
  ),
  forbid(
    'screens-are-imported-by-the-console',
    'Only the files that put the console together import screens.',
    {
      path: '^web/console/[^/]+$',
      pathNot: [...TESTS, '^web/console/(?:administration|console|main|screens|sheets)\\.tsx?$'],
    },
    { path: '^web/console/[^/]+/' },
  ),
  ...COMPONENT_LAYERS.slice(0, -1).map((layer, index) =>
    forbid(
      `components-import-downwards-from-${layer || 'all'}`,
      `In web/components/, a folder imports only what lies flat there and those before it: ${COMPONENT_LAYERS.slice(1).join(', ')}.`,
      { path: `^web/components/${layer && `${layer}/`}[^/]+$`, pathNot: TESTS },
      { path: `^web/components/(?:${COMPONENT_LAYERS.slice(index + 1).join('|')})/` },
    ),
  ),
  forbid(
    'signing-in-stays-small',
    'The sign-in page does not load uqr; pages of who is signed in are loaded when they are opened.',
    {
      path: '^web/(?:signing-in|components|words|page|account/(?!(?:own-account|connect)-page)[^/]+$)',
      pathNot: TESTS,
    },
    { path: '(?:^|/)node_modules/uqr/' },
  ),
  forbid(
    'examples-import-only-the-client',
    'An example is what another team would write: @platform/client, @platform/test-bench and npm packages.',
    { path: '^examples/' },
    { path: `^(?!examples/|openapi/client/|test-bench/client/)(?:${WORKSPACES}|${DEVELOPMENT})/` },
  ),
  forbid(
    'workspaces-by-name',
    'Import another workspace by its name, @platform/<workspace>/…: its package exports decide what is public.',
    // The packed package of the test bench contains its types, but not the workspace.
    { path: `^(${WORKSPACES})/`, pathNot: '^test-bench/client/' },
    { path: `^(?!$1/)(?:${WORKSPACES})/`, dependencyTypes: ['local'] },
  ),
  forbid(
    'production-without-development-code',
    'Production code imports nothing from dev, bench, test-bench, tools or tests.',
    { path: `^(?:${PROCESSES}|migrate|shared|openapi)/`, pathNot: TESTS },
    { path: [`^(?:${DEVELOPMENT})/`, '^[^/]+/test/', '\\.test\\.tsx?$'] },
  ),
  forbid(
    'testing-only-in-tests',
    'Only tests, benchmarks, tools and the test bench import shared/testing.',
    { pathNot: [...TESTS, '^bench/', '^tools/', '^test-bench/'] },
    { path: '^shared/testing/' },
  ),
  forbid(
    'test-bench-is-started-by-dev',
    'Only dev, which starts the test bench, and check:deployed, which runs its rules, import it. Its package for tests is for everybody.',
    { pathNot: ['^test-bench/', '^dev/', '^test/deployed/time-rules\\.'] },
    { path: '^test-bench/(?!client/)' },
  ),
  forbid(
    'system-tests-are-black-box',
    'A system test is a black-box test of the running stack: no import from a service.',
    { path: '^test/' },
    { path: `^(?:${PROCESSES})/` },
  ),
];

const cycles = forbid(
  'no-cycles',
  'An import cycle has no file that can be understood or loaded first.',
  {},
  { circular: true },
);

/** Required of each such file: an impossible dependency, so it is reported even when nothing imports it. */
const catchAllFolders = {
  name: 'no-catch-all-folders',
  comment: 'utils, helpers, common and lib are too vague: name the folder after the subject of its files.',
  severity: 'error',
  module: {
    path: '(?:^|/)(?:utils?|helpers?|common|libs?)/',
    pathNot: '(?:^|/)(?:node_modules|\\.generated)/',
  },
  to: { path: '^$' },
};

module.exports = {
  forbidden: [...layers, ...workspaces, cycles],
  required: [catchAllFolders],
  options: {
    doNotFollow: { path: '(?:^|/)(?:node_modules|\\.data[^/]*|\\.bench|\\.generated|web/dist)(?:/|$)' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.json'],
    },
    skipAnalysisNotInRules: true,
  },
};
