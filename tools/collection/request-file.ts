import { exampleOfMedia, exampleOfSchema } from '../../shared/src/http/schema-example.ts';
import type { Operation, Parameter } from './operations.ts';

// A request file of Bruno (OpenCollection YAML, https://docs.usebruno.com/opencollection-yaml) for an operation. Tokens, ids
// and accounts are variables: of the environment, or set by the responses of other requests.

const variable = (name: string): string => `{{${name}}}`;

type Kind = 'customer' | 'employee' | 'administrator';

/** Whose account a request uses; undefined for requests without an account. */
const kindOf = ({ id, security }: Operation): Kind | undefined => {
  const [kind] = /^(?:customer|employee|administrator)/.exec(id) ?? [];
  if (kind) return kind as Kind;
  if (security) return security.name.startsWith('universal') ? 'customer' : 'administrator';
  return undefined;
};

/** For the selection of requests: the others need the session between these two. */
export const getTag = ({ id }: Operation): 'signs-in' | 'ends-session' | undefined => {
  if (id.endsWith('SignIn')) return 'signs-in';
  return /SignOut$|EndSession$/.test(id) ? 'ends-session' : undefined;
};

/** `/api/v1/users/{id}` → `userId`; the session of each kind is the one of its last sign-in. */
const idVariable = (path: string, kind: Kind | undefined): string | undefined => {
  const [, collection = '', name] = /([\w-]+)\/\{(\w+)\}/.exec(path) ?? [];
  if (name === undefined) return undefined;
  if (collection === 'sessions') return `${kind}SessionId`;
  return name === 'id' ? `${collection.replace(/s$/, '')}Id` : name;
};

const parameterValue = (
  { document, path }: Operation,
  parameter: Parameter,
  kind: Kind | undefined,
): string => {
  const { name, schema, example } = parameter;
  if (parameter.in === 'path') return variable(idVariable(path, kind) ?? name);
  if (name === 'X-Fingerprint') return variable('fingerprint');
  if (name === 'X-Session-Id') return variable(`${kind}SessionId`);
  return String(example ?? exampleOfSchema(document, schema));
};

const toParameter = (operation: Operation, kind: Kind | undefined) => (parameter: Parameter) => ({
  name: parameter.name,
  value: parameterValue(operation, parameter, kind),
  ...(parameter.in !== 'header' && { type: parameter.in }),
  ...(parameter.description && { description: parameter.description.trim() }),
  ...(parameter.in === 'query' && !parameter.required && { disabled: true }),
});

/** Sending every request leaves the account usable: a new password equals the old one, and a deletion has a wrong one. */
const bodyValues = ({ id }: Operation, kind: Kind | undefined): Record<string, string> => {
  if (!kind) return {};
  if (/SignUp$|Register$/.test(id)) return { email: 'new-{{$guid}}@example.com' };
  const password = variable(`${kind}Password`);
  return {
    email: variable(`${kind}Email`),
    newEmail: 'new-{{$guid}}@example.com',
    ...{ password, currentPassword: password, newPassword: password },
    ...(id.endsWith('AccountDelete') && { currentPassword: 'enter the password to delete the account' }),
    challenge: variable(`${kind}Challenge`),
  };
};

const toBody = (operation: Operation, kind: Kind | undefined) => {
  if (!operation.body) return undefined;
  const example = exampleOfMedia(operation.document, operation.body) as object;
  const values = bodyValues(operation, kind);
  const entries = Object.entries(example).map(([name, value]) => [name, values[name] ?? value]);
  return { type: 'json', data: JSON.stringify(Object.fromEntries(entries), null, 2) };
};

const toAuth = ({ security }: Operation, kind: Kind | undefined) => {
  if (!security || !kind) return {};
  const token = `${kind}${security.isCookie ? 'RefreshToken' : 'Token'}`;
  return { auth: { type: 'bearer', token: variable(token) } };
};

const storeCookie = (kind: Kind): string[] => [
  "const cookie = [res.getHeader('set-cookie')].flat()[0] ?? '';",
  `bru.setVar('${kind}RefreshToken', cookie.split(';')[0].split('=')[1]);`,
];

const onSuccess = (lines: string[]): string[] => [
  'if (res.status === 200) {',
  ...lines.map((line) => `  ${line}`),
  '}',
];

const storeTokens = (kind: Kind): string[] => [
  `bru.setVar('${kind}Token', res.body.token);`,
  `bru.setVar('${kind}SessionId', res.body.session.id);`,
  ...storeCookie(kind),
];

/** Variables for the requests that follow. */
const toScript = (operation: Operation, kind: Kind | undefined, operations: Operation[]): string[] => {
  const { id, path, method } = operation;
  if (kind && getTag(operation) === 'signs-in')
    return [
      ...onSuccess(storeTokens(kind)),
      `if (res.body.challenge) bru.setVar('${kind}Challenge', res.body.challenge);`,
    ];
  if (kind && /SignIn(?:SecondFactor|Passkey)$/.test(id)) return onSuccess(storeTokens(kind));
  if (kind && /RefreshToken$/.test(id))
    return onSuccess([`bru.setVar('${kind}Token', res.body.token);`, ...storeCookie(kind)]);
  if (id === `${kind}SecondFactor`)
    return ["if (res.body.passkeys?.[0]) bru.setVar('passkeyId', res.body.passkeys[0].id);"];
  const item = operations.find((other) => other.method === 'GET' && other.path.startsWith(`${path}/{`));
  const name = method === 'GET' && item && idVariable(item.path, kind);
  return name ? onSuccess([`bru.setVar('${name}', res.body.data[0]?.id ?? '');`]) : [];
};

const toRuntime = (lines: string[]) => {
  if (lines.length === 0) return {};
  return { runtime: { scripts: [{ type: 'after-response', code: lines.join('\n') }] } };
};

const toDocs = ({ description, responses }: Operation): string => {
  // `default` is the same list of errors for every operation.
  const statuses = Object.entries(responses)
    .filter(([status]) => status !== 'default')
    .map(
      ([status, { description: text }]) =>
        `**${status}**${text.startsWith('- ') ? '\n\n' : ' '}${text.trim()}`,
    );
  return [description?.trim(), ...statuses].filter(Boolean).join('\n\n');
};

/** The content of a request file; `operations` are all operations of the documents. */
export const toRequestFile = (operation: Operation, seq: number, operations: Operation[]) => {
  const kind = kindOf(operation);
  const { method, path, parameters, summary } = operation;
  const place = (...places: string[]) =>
    parameters.filter((parameter) => places.includes(parameter.in)).map(toParameter(operation, kind));
  const [headers, params] = [place('header'), place('path', 'query')];
  const [body, tag] = [toBody(operation, kind), getTag(operation)];
  return {
    info: { name: summary, type: 'http', seq, ...(tag && { tags: [tag] }) },
    http: {
      method,
      url: variable('gatewayUrl') + path.replace(/\{(\w+)\}/g, ':$1'),
      ...(headers.length > 0 && { headers }),
      ...(params.length > 0 && { params }),
      ...(body && { body }),
      ...toAuth(operation, kind),
    },
    ...toRuntime(toScript(operation, kind, operations)),
    docs: toDocs(operation),
  };
};
