// Configures Swagger UI so that a sign-in on the page authorizes other operations: a response with a `token`
// authorizes the security schemes in the operation's `x-authorizes`, one without revokes them. The
// fingerprint and the session ids are stored, and the access token is not: every page of the origin could
// read it. The refresh token stays in its HttpOnly cookie, so a refresh authorizes again after a reload.

const DEVICE = 'X-Fingerprint';
const SESSION = 'X-Session-Id';

/** crypto.randomUUID does not exist on plain HTTP. */
const randomText = () =>
  crypto.getRandomValues(new Uint32Array(2)).reduce((text, word) => text + word.toString(36), '');

const remembered = (key, make = () => undefined) => {
  const value = localStorage.getItem(key) ?? make();
  if (value !== undefined) localStorage.setItem(key, value);
  return value;
};
const deviceName = () => remembered('docs-page.device', () => `docs-page-${randomText()}`);
/** A session belongs to one kind of user, as a tag does. */
const sessionKey = (tag) => `docs-page.session.${tag}`;

const operationsOf = (document) =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, operation]) => operation?.operationId)
      .map(([method, operation]) => ({ path, method, operation })),
  );

const resolve = (document, { $ref, ...own }) => {
  if ($ref === undefined) return own;
  const [, ...steps] = $ref.split('/');
  return steps.reduce((part, step) => part[step], document);
};

/** Swagger UI fills a field with its parameter's example. */
const exampleFor = ({ name }, tag) => {
  if (name === DEVICE) return deviceName();
  return name === SESSION ? remembered(sessionKey(tag)) : undefined;
};

const fillIn = (document, operation) => {
  if (operation.parameters === undefined) return;
  operation.parameters = operation.parameters.map((reference) => {
    const parameter = resolve(document, reference);
    const example = exampleFor(parameter, operation.tags?.[0]);
    return example === undefined ? parameter : { ...parameter, example };
  });
};

/** The browser sends these cookies and scripts cannot set them, so the fields are hidden. */
const withoutCookieSchemes = (document) => {
  const { securitySchemes = {} } = document.components;
  const isKept = (name) => securitySchemes[name]?.in !== 'cookie';
  for (const { operation } of operationsOf(document))
    if (operation.security)
      operation.security = operation.security.filter((schemes) => Object.keys(schemes).every(isKept));
  document.components.securitySchemes = Object.fromEntries(
    Object.entries(securitySchemes).filter(([name]) => isKept(name)),
  );
};

/** The policy of the page allows requests to its own host only. */
const callThisHost = (document) => {
  for (const { servers = [] } of Object.values(document.paths))
    for (const { variables = {} } of servers)
      if (variables.host) variables.host.default = window.location.hostname;
};

const prepare = (document) => {
  callThisHost(document);
  for (const { operation } of operationsOf(document)) fillIn(document, operation);
  withoutCookieSchemes(document);
  return document;
};

const authorize = ({ authActions, authSelectors }, schemes, token) => {
  const entryFor = (name) => [name, { name, schema: { type: 'http', scheme: 'bearer' }, value: token }];
  if (token) authActions.authorize(Object.fromEntries(schemes.map(entryFor)));
  else if (authSelectors.authorized()?.size) authActions.logout(schemes);
};

const rememberSession = ({ specSelectors, specActions }, tag, sessionId) => {
  localStorage.setItem(sessionKey(tag), sessionId);
  const document = specSelectors.specJsonWithResolvedSubtrees();
  for (const { path, method, operation } of operationsOf(specSelectors.specJson().toJS())) {
    if (operation.tags?.[0] !== tag) continue;
    const parameters = document.getIn(['paths', path, method, 'parameters']);
    const field = parameters?.find((parameter) => parameter.get('name') === SESSION);
    if (field) specActions.changeParamByIdentity([path, method], field, sessionId, false);
  }
};

const learn = (system, path, method, { status, obj: body }) => {
  const operation = system.specSelectors.specJson().getIn(['paths', path, method])?.toJS();
  const schemes = operation?.['x-authorizes'];
  if (schemes === undefined || !(status >= 200 && status < 300)) return;
  authorize(system, schemes, body?.token);
  if (body?.session) rememberSession(system, operation.tags[0], body.session.id);
};

const rememberSignIn = () => ({
  statePlugins: {
    spec: {
      wrapActions: {
        updateJsonSpec: (update) => (document) => update(prepare(document)),
        setResponse: (set, system) => (path, method, response) => {
          learn(system, path, method, response);
          return set(path, method, response);
        },
      },
    },
  },
});

/** A search opens the groups, which are closed at first. */
const openFoundGroups = () => ({
  statePlugins: {
    layout: {
      wrapActions: {
        updateFilter:
          (update, { specSelectors, layoutActions }) =>
          (text) => {
            for (const { name } of specSelectors.specJson().toJS().tags)
              layoutActions.show(['operations-tag', name], text !== '');
            return update(text);
          },
      },
    },
  },
});

/** Parts of Swagger UI that fail WCAG: links inside of buttons, and fields without a label. */
const accessibleParts = () => ({
  wrapComponents: {
    // The button around it changes the address of the page, too.
    DeepLink:
      (_, { React }) =>
      ({ text }) =>
        React.createElement('span', {}, text),
    TextArea:
      (Original, { React }) =>
      (props) =>
        React.createElement(Original, { 'aria-label': 'Body', ...props }),
    ExamplesSelect:
      (Original, { React }) =>
      (props) =>
        React.createElement('label', {}, React.createElement(Original, { ...props, showLabels: true })),
  },
});

/** Swagger UI warns of a list whose items have a format that it has no field for. */
const fieldsOfFormats = ({ React, getComponent }) => ({
  components: {
    JsonSchema_string_uuid: (props) => React.createElement(getComponent('JsonSchema_string'), props),
  },
});

// Swagger UI inserts descriptions as markup, which runs no script, since the page allows none inline. Whatever
// would run one, such as the address of a script, stays forbidden.
window.trustedTypes?.createPolicy('default', { createHTML: (markup) => markup });

SwaggerUIBundle({
  url: './openapi.json',
  dom_id: '#swagger-ui',
  plugins: [rememberSignIn, openFoundGroups, accessibleParts, fieldsOfFormats],
  deepLinking: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  // The search box: operations by tag or path.
  filter: true,
  tryItOutEnabled: true,
  validatorUrl: null,
});

// Swagger UI's dark style has its own class, not a media query.
const dark = window.matchMedia('(prefers-color-scheme: dark)');
const applyColorScheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', applyColorScheme);
applyColorScheme();
