import { PASSWORD } from '@platform/shared/testing/builders';
import type { Role } from '@platform/shared/testing/records';
import type { Operation, Parameter } from './contract.ts';
import { type Draft, setHeader } from './draft.ts';
import { ROLES, type World } from './fixture.ts';
import type { Identity } from './identity.ts';
import type { CodePurpose } from './mailed-codes.ts';
import type { Random } from './random.ts';
import { headerTextOf, valueFor } from './values.ts';

/** What ends a session or changes a password: whoever asks for it is gone afterwards. */
const USES_UP =
  /SignOut|RefreshToken|EndSession|EndOtherSessions|ResetPasswordMe|VerificationEmailCodeCheck|ResetPasswordEmailCode$/;
/** What needs a code that was mailed. */
const CODES: readonly [RegExp, CodePurpose][] = [
  [/VerificationEmailCodeCheck$/, 'verification'],
  [/ResetPasswordEmailCode$/, 'reset'],
];

const ROLES_OF_SCHEME: Record<string, readonly Role[]> = {
  customerAccess: ['CUSTOMER'],
  customerRefresh: ['CUSTOMER'],
  employeeAccess: ['EMPLOYEE'],
  employeeRefresh: ['EMPLOYEE'],
  administratorAccess: ['ADMIN', 'OPERATOR', 'ARBITER'],
  administratorRefresh: ['ADMIN', 'OPERATOR', 'ARBITER'],
  administratorRegistration: ['ADMIN'],
  universalAccess: ROLES,
};

/** Without a token, the kind counts: who may reset a password. */
const rolesFor = ({ id, scheme, role }: Operation): readonly Role[] => {
  if (role !== undefined) return [role as Role];
  return ROLES_OF_SCHEME[scheme ?? `${/^[a-z]+/.exec(id)?.[0]}Access`] ?? ROLES;
};

const chooseIdentity = async (
  operation: Operation,
  roles: readonly Role[],
  random: Random,
  world: World,
): Promise<Identity> => {
  const role = random.pick(roles);
  if (USES_UP.test(operation.id)) return await world.create(role);
  return random.pick(world.people.filter((person) => person.role === role));
};

const idsFor = ({ template }: Operation, { ids }: World): readonly string[] => {
  if (template.includes('/projects/')) return ids.projects;
  return template.includes('/teams/') ? ids.teams : ids.users;
};

const fillPath = (operation: Operation, identity: Identity, random: Random, world: World): string =>
  operation.template.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (random.chance(0.15)) return random.uuid();
    return name === 'sessionId' ? identity.device.sessionId : random.pick(idsFor(operation, world));
  });

const headerFor = ({ name, schema }: Parameter, { device }: Identity, random: Random): string => {
  if (random.chance(0.1)) return headerTextOf(random, schema);
  return name === 'X-Session-Id' ? device.sessionId : device.fingerprint;
};

const chooseQuery = (parameters: readonly Parameter[], random: Random): [string, string][] =>
  parameters
    .filter(({ in: place }) => place === 'query')
    .filter(() => random.chance(0.5))
    .map(({ name, schema }) => [name, encodeURIComponent(String(valueFor(schema, random)))]);

/** The right token for the operation, in its place. */
const authorize = (draft: Draft, { account, device }: Identity): void => {
  const { scheme } = draft.operation;
  if (scheme === undefined) return;
  if (scheme.endsWith('Refresh'))
    setHeader(draft, 'Cookie', `${account.kind.refreshCookie}=${device.refreshToken}`);
  else setHeader(draft, 'Authorization', `Bearer ${device.accessToken}`);
};

/** Makes a body mean something here: accounts that exist, passwords that are right. */
const anchorBody = ({ json, operation }: Draft, random: Random, world: World): void => {
  if (typeof json !== 'object' || json === null) return;
  const body = json as Record<string, unknown>;
  if ('email' in body && !/SignUp|Register|submit/.test(operation.id) && random.chance(0.7))
    body['email'] = random.pick(
      world.ids.emails[/^administrator/.test(operation.id) ? 'administrators' : 'members'],
    );
  if (operation.id.endsWith('SignIn') && random.chance(0.8)) body['password'] = PASSWORD;
  if ('currentPassword' in body && random.chance(0.8)) body['currentPassword'] = PASSWORD;
};

/** The code that the platform has mailed for just this. */
const anchorCode = async ({ json, operation }: Draft, identity: Identity, world: World): Promise<void> => {
  const [, purpose] = CODES.find(([pattern]) => pattern.test(operation.id)) ?? [];
  if (!purpose) return;
  Object.assign(json as object, { code: await world.codeFor(identity, purpose) });
  if (purpose === 'reset') Object.assign(json as object, { email: identity.account.email });
};

/** A request that the contract allows, by somebody who may make it. */
export const createValidRequest = async (
  operation: Operation,
  random: Random,
  world: World,
): Promise<Draft> => {
  const identity = await chooseIdentity(operation, rolesFor(operation), random, world);
  const wantsBody = operation.body !== undefined && (operation.body.isRequired || random.chance(0.3));
  const draft: Draft = {
    operation,
    method: operation.method,
    path: fillPath(operation, identity, random, world),
    query: chooseQuery(operation.parameters, random),
    headers: [],
    json: wantsBody && operation.body ? valueFor(operation.body.schema, random) : undefined,
    bytes: undefined,
    omitsContentType: false,
    mutations: [],
    isAuthorized: true,
  };
  for (const parameter of operation.parameters)
    if (parameter.in === 'header' && (parameter.required || random.chance(0.7)))
      setHeader(draft, parameter.name, headerFor(parameter, identity, random));
  authorize(draft, identity);
  anchorBody(draft, random, world);
  if (random.chance(0.4)) await anchorCode(draft, identity, world);
  return draft;
};

/** Another token than the right one, or none: that of another kind or role, of a blocked user, a dead or a forged one. */
export const replaceToken = (draft: Draft, random: Random, world: World): void => {
  const other = random.pick(world.people);
  const token = random.pick([
    undefined,
    random.pick(world.deadTokens),
    other.device.accessToken,
    other.device.accessToken,
    other.device.refreshToken,
  ]);
  draft.isAuthorized = false;
  draft.headers = draft.headers.filter(([name]) => name !== 'Cookie' && name !== 'Authorization');
  if (token === undefined) return;
  if (random.chance(0.3)) setHeader(draft, 'Cookie', `${other.account.kind.refreshCookie}=${token}`);
  else setHeader(draft, 'Authorization', `Bearer ${token}`);
};
