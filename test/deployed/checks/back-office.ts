import { randomUUID } from 'node:crypto';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import type { Operation } from '@platform/shared/testing/openapi-operations';
import type { Contract } from '../contract.ts';
import type { Checks } from '../probe.ts';
import { type AccountChecks, type AccountState, checksOf, type SignedIn } from './account-state.ts';
import { isList, listChecks } from './back-office-lists.ts';
import { toPath } from './invalid-requests.ts';

type Operations = readonly Operation[];

type BodySchema = NonNullable<Operation['body']>['schema'];

/** A valid body with the required fields only. */
const createBody = ({ required = [], properties = {} }: BodySchema): object =>
  Object.fromEntries(
    required.map((name) => {
      const { example, enum: [value] = [], type } = properties[name] ?? {};
      return [name, example ?? value ?? (type === 'boolean' ? false : 'check-deployed')];
    }),
  );

/** Creates a request with the given id, or with one that does not exist. */
const request = (
  { send }: SignedIn,
  operation: Operation,
  id: string = randomUUID(),
): Promise<HttpResponse> =>
  send(
    operation.method,
    toPath(operation, id),
    operation.body?.isRequired ? createBody(operation.body.schema) : undefined,
  );

const isGetWithoutId = (operation: Operation): boolean =>
  operation.method === 'GET' &&
  !operation.template.includes('{') &&
  !isList(operation) &&
  !operation.parameters.some((parameter) => parameter.in === 'query' && parameter.required);

const checkOwnRoutes = async (signedIn: SignedIn, own: Operations): Promise<void> => {
  const { state, expect, check } = signedIn;
  for (const operation of own) {
    const response = await expect(request(signedIn, operation), 200);
    const { id, userId = id, platformRole, email = state.email } = response.body;
    check(userId === state.user?.id, 'another user', response);
    check(email === state.email.toLowerCase(), '/email is another one', response);
    check(platformRole === state.user?.platformRole, '/platformRole is another one', response);
  }
};

const roleChecks = (own: Operations, others: Operations): AccountChecks => ({
  [`${own.map(({ template }) => template).join(', ')}: the caller with the stored role`]: (signedIn) =>
    checkOwnRoutes(signedIn, own),
  async [`${others.length} operations of other workspaces: 403 WORKSPACE_FORBIDDEN for any request`](
    signedIn,
  ) {
    for (const operation of others)
      await signedIn.expect(request(signedIn, operation, 'not-a-uuid'), 403, 'WORKSPACE_FORBIDDEN');
  },
  async 'POST /api/v1/auth/admin/register: only for an ADMIN, and with a valid body'(signedIn) {
    const response = await signedIn.send('POST', '/register', {});
    if (signedIn.state.user?.platformRole === 'ADMIN')
      await signedIn.expect(response, 400, 'VALIDATION_FAILED', '/body/email', '/body/password');
    else await signedIn.expect(response, 403, 'WORKSPACE_FORBIDDEN');
  },
});

/** The name of the operation's path parameter, if there is one. */
const getParameter = ({ template }: Operation): string | undefined => /\{(\w+)\}/.exec(template)?.[1];

const checkId = async (signedIn: SignedIn, operation: Operation): Promise<void> => {
  const invalid = request(signedIn, operation, 'not-a-uuid');
  await signedIn.expect(invalid, 400, 'VALIDATION_FAILED', `/params/${getParameter(operation)}`);
  const unknown = await signedIn.expect(request(signedIn, operation), 404);
  signedIn.check(unknown.code !== 'ROUTE_NOT_FOUND', 'there is no such route', unknown);
};

const idChecks = (own: Operations): AccountChecks =>
  Object.fromEntries(
    own
      .filter((operation) => getParameter(operation) !== undefined)
      .map((operation) => [
        `${operation.method} ${operation.template}: 400 VALIDATION_FAILED for an invalid id, 404 for an unknown one`,
        (signedIn) => checkId(signedIn, operation),
      ]),
  );

/**
 * Reads what the platform role of the account may read. All other requests use unknown ids, so that they
 * change nothing.
 */
export const backOfficeChecks = (state: AccountState, { operations }: Contract): Checks => {
  const { platformRole } = state.user ?? {};
  if (platformRole === undefined) return {};
  const guarded = operations.filter(({ role }) => role !== undefined);
  const own = guarded.filter(({ role }) => role === platformRole);
  const others = guarded.filter(({ role }) => role !== platformRole);
  return checksOf(state, {
    ...roleChecks(own.filter(isGetWithoutId), others),
    ...(platformRole === 'ADMIN' && { ...listChecks(own), ...idChecks(own) }),
  });
};
