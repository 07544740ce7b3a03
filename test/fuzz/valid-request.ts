import { PLATFORM_ROLES } from '@platform/shared/testing/auth-client';
import { PASSWORD } from '@platform/shared/testing/builders';
import type { Role } from '@platform/shared/testing/records';
import fc from 'fast-check';
import type { Operation } from '../openapi-operations.ts';
import { type CodePurpose, type Fixture, type Identity, ROLES } from './fixture.ts';
import { type Field, type FuzzRequest, oneOf } from './request.ts';
import { fromSchema, headerFromSchema } from './schema-arbitraries.ts';

/** Operations that end a session or change a password; each of their requests needs a new user. */
const ENDS_SESSION =
  /SignOut|RefreshToken|EndSession|EndOtherSessions|ResetPasswordMe|VerificationEmailCodeCheck|ResetPasswordEmailCode$/;
const CODE_PURPOSES: readonly [RegExp, CodePurpose][] = [
  [/VerificationEmailCodeCheck$/, 'verification'],
  [/ResetPasswordEmailCode$/, 'reset'],
];

const getRoles = ({ id, scheme = id, role }: Operation): readonly Role[] => {
  if (role !== undefined) return [role as Role];
  if (scheme.startsWith('customer')) return ['CUSTOMER'];
  if (scheme.startsWith('employee')) return ['EMPLOYEE'];
  if (scheme === 'administratorRegistration') return ['ADMIN'];
  return scheme.startsWith('administrator') ? PLATFORM_ROLES : ROLES;
};

/** A function, because it signs in a new user where the operation ends the session. */
const identityFor = (operation: Operation, fixture: Fixture): fc.Arbitrary<() => Promise<Identity>> => {
  const roles = getRoles(operation);
  if (ENDS_SESSION.test(operation.id)) return oneOf(roles).map((role) => () => fixture.createIdentity(role));
  const known = fixture.identities.filter(({ role }) => roles.includes(role));
  return oneOf(known).map((identity) => async () => identity);
};

const mostly = <Value>(usual: fc.Arbitrary<Value>, other: fc.Arbitrary<Value>): fc.Arbitrary<Value> =>
  fc.oneof({ weight: 4, arbitrary: usual }, { weight: 1, arbitrary: other });

const pathFor = ({ template }: Operation, fixture: Fixture): fc.Arbitrary<string> => {
  const [, collection, name] = /(\w+)\/\{(\w+)\}/.exec(template) ?? [];
  if (name === undefined) return fc.constant(template);
  const { projectIds, teamIds, userIds } = fixture;
  const ids = { projects: projectIds, teams: teamIds, users: userIds }[collection ?? ''] ?? ['{sessionId}'];
  return mostly(oneOf(ids), fc.uuid()).map((id) => template.replace(/\{\w+\}/, id));
};

const parametersFor = (
  { parameters }: Operation,
  place: 'query' | 'header',
  toArbitrary: (parameter: Operation['parameters'][number]) => fc.Arbitrary<string>,
): fc.Arbitrary<Field[]> => {
  const placed = parameters.filter((parameter) => parameter.in === place);
  const requiredKeys = placed.filter(({ required }) => required).map(({ name }) => name);
  const arbitraries = Object.fromEntries(placed.map((item) => [item.name, toArbitrary(item)]));
  return fc.record(arbitraries, { requiredKeys }).map((values) => Object.entries(values));
};

/** Mostly with existing accounts, right passwords and valid codes; otherwise few requests would pass the first lookup. */
const bodyFor = (operation: Operation, fixture: Fixture): fc.Arbitrary<unknown> => {
  const { id, body } = operation;
  if (!body) return fc.constant(undefined);
  const { administratorEmails, memberEmails } = fixture;
  const emails = id.startsWith('administrator') ? administratorEmails : memberEmails;
  const usual = {
    ...(!/SignUp|Register|submit/.test(id) && { email: oneOf([...emails, '{email}']) }),
    ...(id.endsWith('ResetPasswordEmailCode') && { email: fc.constant('{email}') }),
    ...(id.endsWith('SignIn') && { password: fc.constant(PASSWORD) }),
    ...{ currentPassword: fc.constant(PASSWORD), code: fc.constant('{code}') },
  };
  const replacements = Object.entries(usual).map(([name, arbitrary]) => {
    const schema = body.schema.properties?.[name];
    return [name, schema ? mostly<unknown>(arbitrary, fromSchema(schema)) : arbitrary] as const;
  });
  const json = fromSchema(body.schema, Object.fromEntries(replacements));
  return body.isRequired ? json : fc.option(json, { nil: undefined });
};

const createCredentials = ({ scheme }: Operation, { kind, device }: Identity): Field[] => {
  if (scheme === undefined) return [];
  return scheme.endsWith('Refresh')
    ? [['Cookie', `${kind.refreshCookie}=${device.refreshToken}`]]
    : [['Authorization', `Bearer ${device.accessToken}`]];
};

type Draft = Pick<FuzzRequest, 'path' | 'query' | 'headers' | 'json'>;

/** Replaces `{sessionId}`, `{fingerprint}`, `{email}` and `{code}` by the caller's; mails the code. */
const fillPlaceholders = async (
  draft: Draft,
  code: () => Promise<string>,
  identity: Identity,
): Promise<Draft> => {
  const text = JSON.stringify(draft);
  const values: Record<string, string> = {
    ...{
      sessionId: identity.device.sessionId,
      fingerprint: identity.device.fingerprint,
      email: identity.email,
    },
    ...(text.includes('"{code}"') && { code: await code() }),
  };
  return JSON.parse(
    text.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => values[name] ?? placeholder),
  );
};

/** Requests that the contract allows and whose caller is authorized. The function creates what the request needs. */
export const validRequest = (
  operation: Operation,
  fixture: Fixture,
): fc.Arbitrary<() => Promise<FuzzRequest>> => {
  const purpose = CODE_PURPOSES.find(([pattern]) => pattern.test(operation.id))?.[1] ?? 'verification';
  const arbitraries = {
    path: pathFor(operation, fixture),
    query: parametersFor(operation, 'query', ({ schema }) =>
      fromSchema(schema).map((value) => encodeURIComponent(String(value))),
    ),
    headers: parametersFor(operation, 'header', ({ name, schema }) =>
      mostly(
        fc.constant(name === 'X-Session-Id' ? '{sessionId}' : '{fingerprint}'),
        headerFromSchema(schema),
      ),
    ),
    json: bodyFor(operation, fixture),
  };
  return fc
    .tuple(identityFor(operation, fixture), fc.record(arbitraries))
    .map(([getIdentity, draft]) => async () => {
      const identity = await getIdentity();
      const filled = await fillPlaceholders(draft, () => fixture.requestCode(identity, purpose), identity);
      const contentType: Field[] = filled.json === undefined ? [] : [['Content-Type', 'application/json']];
      const headers = [...filled.headers, ...contentType, ...createCredentials(operation, identity)];
      return { operation, method: operation.method, ...filled, json: filled.json, headers, bytes: undefined };
    });
};
