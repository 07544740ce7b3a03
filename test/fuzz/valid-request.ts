import { randomUUID } from 'node:crypto';
import { PLATFORM_ROLES } from '@platform/shared/testing/auth-client';
import { PASSWORD } from '@platform/shared/testing/builders';
import type { Operation, Schema } from '@platform/shared/testing/openapi-operations';
import type { Role } from '@platform/shared/testing/records';
import fc from 'fast-check';
import { NEEDS_FACTOR, NEEDS_PROOF, prepareFactors } from './factors.ts';
import { type CodePurpose, type Fixture, type Identity, ROLES } from './fixture.ts';
import { PROVIDER, prepareProvider } from './provider-preparations.ts';
import { type Field, type FuzzRequest, oneOf } from './request.ts';
import { fromSchema, headerFromSchema } from './schema-arbitraries.ts';

/**
 * Operations that end a session, or change a password or identities, so that each request needs a new user. A
 * sign-in ends the earlier session of its device.
 */
const NEEDS_NEW_USER =
  /SignIn$|SignOut|RefreshToken|EndSession|EndOtherSessions|ResetPasswordMe|VerificationEmailCodeCheck|ResetPasswordEmailCode$|EmailChange|SignInEmailCode$|AccountDelete|IdentityLink|IdentityUnlink/;
const CODE_PURPOSES: readonly [RegExp, CodePurpose][] = [
  [/VerificationEmailCodeCheck$/, 'verification'],
  [/ResetPasswordEmailCode$/, 'reset'],
  [/EmailChangeCheck$/, 'email-change'],
  [/SignInEmailCode$/, 'sign-in'],
];

const CURSOR_ID = randomUUID();
/** A position in the audit log: in the cursor of the records of one user, it follows the user's id. */
const toCursor = (userId = ''): string =>
  Buffer.from(`${userId}2026-01-01T00:00:00.000000Z ${CURSOR_ID}`).toString('base64url');

/** Parameters of which the service accepts less than their schema. */
const queriesFor = ({ id, name }: Operation): Record<string, fc.Arbitrary<string | string[]>> => {
  const cursor = fc.constant(name.startsWith('auth/') ? '{cursor}' : toCursor());
  return {
    cursor,
    // The export of another user has cursors of that user.
    auditCursor: id === 'exportUser' ? fc.constant([]) : cursor,
    // Within the last 90 days.
    since: fc
      .integer({ min: 1, max: 80 })
      .map((days) => new Date(Date.now() - days * 86_400_000).toISOString()),
  };
};

const getRoles = ({ id, scheme = id, role }: Operation): readonly Role[] => {
  if (role !== undefined) return [role as Role];
  if (scheme.startsWith('customer')) return ['CUSTOMER'];
  if (scheme.startsWith('employee')) return ['EMPLOYEE'];
  if (scheme === 'administratorRegistration') return ['ADMIN'];
  return scheme.startsWith('administrator') ? PLATFORM_ROLES : ROLES;
};

/** Returns a function, because it signs in a new user if the operation ends the session. */
const identityFor = (operation: Operation, fixture: Fixture): fc.Arbitrary<() => Promise<Identity>> => {
  const roles = getRoles(operation);
  if (NEEDS_NEW_USER.test(operation.id) || NEEDS_FACTOR.test(operation.id))
    return oneOf(roles).map(
      (role) => () => fixture.createIdentity(role, !operation.id.includes('Verification')),
    );
  const known = fixture.identities.filter(({ role }) => roles.includes(role));
  return oneOf(known).map((identity) => async () => identity);
};

const mostly = <Value>(usual: fc.Arbitrary<Value>, other: fc.Arbitrary<Value>): fc.Arbitrary<Value> =>
  fc.oneof({ weight: 4, arbitrary: usual }, { weight: 1, arbitrary: other });

/** A path with two parameters has a known id, and any value of the second one. */
const pathFor = (operation: Operation, fixture: Fixture): fc.Arbitrary<string> => {
  const { id, template, parameters } = operation;
  const [, collection, name] = /([\w-]+)\/\{(\w+)\}/.exec(template) ?? [];
  if (name === undefined) return fc.constant(template);
  const { projectIds, teamIds, operatorIds, verifiedIds, blockedIds, mailIds, invitationIds, employeeIds } =
    fixture;
  const userIdsOf: Record<string, string[]> = {
    removePlatformRole: operatorIds,
    assignPlatformRole: verifiedIds,
    unblockUser: blockedIds,
  };
  const userIds = userIdsOf[id] ?? fixture.userIds;
  const ids: Record<string, readonly string[]> = {
    projects: projectIds,
    teams: teamIds,
    users: userIds,
    mails: mailIds,
    invitations: invitationIds,
    employees: employeeIds,
    'contact-requests': fixture.contactRequestIds,
    'audit-log': fixture.auditRecordIds,
    oidc: [PROVIDER],
    identities: [id.endsWith('IdentityUnlink') ? '{identity}' : PROVIDER],
  };
  if (id === 'endSessionOfUser')
    return oneOf(fixture.sessions).map((session) => template.replace(/\{.*\}/, session));
  const usual = oneOf(ids[collection ?? ''] ?? [`{${name}}`]);
  const second = parameters.filter((parameter) => parameter.in === 'path')[1];
  const others = second ? (fromSchema(second.schema) as fc.Arbitrary<string>) : fc.constant('');
  return fc
    .tuple(mostly(usual, fc.uuid()), others)
    .map(([value, other]) => template.replace(/\{\w+\}/, value).replace(/\{\w+\}/, other || '$&'));
};

const parametersFor = (
  { parameters }: Operation,
  place: 'query' | 'header',
  toArbitrary: (parameter: Operation['parameters'][number]) => fc.Arbitrary<string | string[]>,
): fc.Arbitrary<Field[]> => {
  const placed = parameters.filter((parameter) => parameter.in === place);
  const requiredKeys = placed.filter(({ required }) => required).map(({ name }) => name);
  const arbitraries = Object.fromEntries(placed.map((item) => [item.name, toArbitrary(item)]));
  return fc
    .record(arbitraries, { requiredKeys })
    .map((values) =>
      Object.entries(values).flatMap(([name, value = []]) => [value].flat().map((one): Field => [name, one])),
    );
};

/** The usual values. */
const HEADERS: Record<string, string> = { 'X-Session-Id': '{sessionId}', 'If-Match': '*' };

const FACTORS = ['totpCode', 'recoveryCode', 'emailCode', 'passkey'];

/** Generates one factor of the body: mostly one of the caller, or none if the password is sufficient. */
const factorFor = ({ id, body }: Operation): fc.Arbitrary<object> => {
  const factors = FACTORS.flatMap((name) => {
    const schema = body?.schema.properties?.[name];
    return schema ? [fromSchema(schema).map((value) => ({ [name]: value }))] : [];
  });
  const usual = NEEDS_PROOF.test(id) ? { recoveryCode: '{recoveryCode}' } : {};
  return factors.length === 0 ? fc.constant({}) : mostly(fc.constant(usual), fc.oneof(...factors));
};

/**
 * Returns the schema without the factors, because the service allows only one of them. The password is
 * required, because the accounts have one.
 */
const withoutFactors = ({ properties = {}, required = [], ...schema }: Schema): Schema => ({
  ...schema,
  // The password is optional in the schema, because accounts without one exist.
  required: 'currentPassword' in properties ? [...required, 'currentPassword'] : required,
  properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !FACTORS.includes(name))),
});

/**
 * Most bodies have existing accounts, correct passwords and valid codes. Otherwise few requests would pass
 * the first lookup.
 */
const bodyFor = (operation: Operation, fixture: Fixture): fc.Arbitrary<unknown> => {
  const { id, body } = operation;
  if (!body) return fc.constant(undefined);
  const { administratorEmails, memberEmails } = fixture;
  const emails = id.startsWith('administrator') ? administratorEmails : memberEmails;
  const usual = {
    ...(!/SignUp|Register|submit/.test(id) && { email: oneOf([...emails, '{email}']) }),
    ...(/(?:ResetPassword|SignIn)EmailCode$/.test(id) && { email: fc.constant('{email}') }),
    ...(id.endsWith('SignIn') && { password: fc.constant(PASSWORD) }),
    currentPassword: fc.constant(PASSWORD),
    // The code of an invitation is only in its mail.
    ...(!id.startsWith('invitation') && { code: fc.constant('{code}') }),
    challenge: fc.constant('{challenge}'),
    response: fc.constant('{response}'),
    callbackUrl: fc.constant('{callbackUrl}'),
  };
  const replacements = Object.entries(usual).map(([name, arbitrary]) => {
    const schema = body.schema.properties?.[name];
    return [name, schema ? mostly<unknown>(arbitrary, fromSchema(schema)) : arbitrary] as const;
  });
  const json = fc
    .tuple(fromSchema(withoutFactors(body.schema), Object.fromEntries(replacements)), factorFor(operation))
    .map(([fields, factor]) => ({ ...(fields as object), ...factor }));
  return body.isRequired ? json : fc.option(json, { nil: undefined });
};

const createCredentials = ({ scheme }: Operation, { kind, device }: Identity): Field[] => {
  if (scheme === undefined) return [];
  return scheme.endsWith('Refresh')
    ? [['Cookie', `${kind.refreshCookie}=${device.refreshToken}`]]
    : [['Authorization', `Bearer ${device.accessToken}`]];
};

type Draft = Pick<FuzzRequest, 'path' | 'query' | 'headers' | 'json'>;

/**
 * Replaces the placeholders `{sessionId}`, `{fingerprint}`, `{email}`, `{cursor}`, `{code}` and the prepared ones. Has
 * the code sent by mail if the request contains it.
 */
const fillPlaceholders = async (
  draft: Draft,
  code: () => Promise<string>,
  identity: Identity,
  prepared: Record<string, unknown>,
): Promise<Draft> => {
  const text = JSON.stringify(draft);
  const values: Record<string, unknown> = {
    sessionId: identity.device.sessionId,
    fingerprint: identity.device.fingerprint,
    email: identity.email,
    cursor: toCursor(identity.userId),
    ...(text.includes('"{code}"') && !prepared['code'] && { code: await code() }),
    ...prepared,
  };
  const fill = (whole: string, name: string) =>
    typeof values[name] === 'object' ? JSON.stringify(values[name]) : whole;
  return JSON.parse(
    text
      .replaceAll(/"\{(\w+)\}"/g, fill)
      .replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => String(values[name] ?? placeholder)),
  );
};

/**
 * Generates requests that the contract allows and whose caller is authorized. The function creates what the
 * request needs.
 */
export const validRequest = (
  operation: Operation,
  fixture: Fixture,
): fc.Arbitrary<() => Promise<FuzzRequest>> => {
  const purpose = CODE_PURPOSES.find(([pattern]) => pattern.test(operation.id))?.[1] ?? 'verification';
  const arbitraries = {
    path: pathFor(operation, fixture),
    query: parametersFor(
      operation,
      'query',
      ({ name, schema }) =>
        queriesFor(operation)[name] ??
        fromSchema(schema).map((value) => [value].flat().map((one) => encodeURIComponent(String(one)))),
    ),
    headers: parametersFor(operation, 'header', ({ name, schema }) =>
      mostly(fc.constant(HEADERS[name] ?? '{fingerprint}'), headerFromSchema(schema)),
    ),
    json: bodyFor(operation, fixture),
  };
  return fc
    .tuple(identityFor(operation, fixture), fc.record(arbitraries))
    .map(([getIdentity, draft]) => async () => {
      const identity = await getIdentity();
      const prepared = {
        ...(await prepareFactors(fixture.gatewayUrl, operation.id, identity)),
        ...(await prepareProvider(fixture, operation.id, identity)),
      };
      const requestCode = () => fixture.requestCode(identity, purpose);
      const filled = await fillPlaceholders(draft, requestCode, identity, prepared);
      const contentType: Field[] =
        filled.json === undefined || !operation.body ? [] : [['Content-Type', operation.body.type]];
      const headers = [...filled.headers, ...contentType, ...createCredentials(operation, identity)];
      return { operation, method: operation.method, ...filled, json: filled.json, headers, bytes: undefined };
    });
};
