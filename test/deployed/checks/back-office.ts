import { randomUUID } from 'node:crypto';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import type { Operation } from '@platform/shared/testing/openapi-operations';
import { type Contract, hasOperation } from '../contract.ts';
import type { Checks } from '../probe.ts';
import { type AccountChecks, type AccountState, checksOf, type SignedIn } from './account-state.ts';
import { listChecks } from './back-office-lists.ts';
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

const isMe = ({ method, template }: Operation): boolean => method === 'GET' && template.endsWith('/me');

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
  async 'POST /api/v1/auth/admin/proof: the password is one, and two factors are 400'(signedIn) {
    const { state, device, client, expect } = signedIn;
    const currentPassword = state.password;
    await expect(client.administratorProve({ ...device, body: { currentPassword } }), 204);
    const factors = { totpCode: '000000', recoveryCode: 'none' };
    const two = client.administratorProve({ ...device, body: { currentPassword, ...factors } });
    await expect(two, 400, 'VALIDATION_FAILED', '/body');
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
      // A secret in a path is a word of a list.
      .filter(({ template }) => /\{\w+\}/.test(template) && !template.includes('{secret}'))
      .map((operation) => [
        `${operation.method} ${operation.template}: 400 VALIDATION_FAILED for an invalid id, 404 for an unknown one`,
        (signedIn) => checkId(signedIn, operation),
      ]),
  );

/** Operations that are neither a list of pages nor found by an id of the account. */
const otherReads: AccountChecks = {
  async 'GET /api/v1/administrator/invitations: those that wait'({ send, expect, check }) {
    const response = await expect(send('GET', '/api/v1/administrator/invitations'), 200);
    check(Array.isArray(response.body.data), '/data is no list', response);
  },
  async 'GET /api/v1/users/{id}/sessions, notes: those of the administrator'(administrator) {
    const { state, send, expect, check } = administrator;
    for (const list of ['sessions', 'notes']) {
      const response = await expect(send('GET', `/api/v1/users/${state.user?.id}/${list}`), 200);
      check(Array.isArray(response.body.data), '/data is no list', response);
    }
  },
  async 'GET /api/v1/administrator/employees: the card of a member of a team, alone and in a list'(
    administrator,
  ) {
    const { send, expect, check, covers, skip } = administrator;
    covers(/^(?:get|list)Employees?(?:ById)?$/);
    const teams = await expect(send('GET', '/api/v1/administrator/teams?perPage=1'), 200);
    const { id } = teams.body.data[0] ?? skip('there is no team');
    const team = await expect(send('GET', `/api/v1/administrator/teams/${id}`), 200);
    const { employeeId } = team.body.members[0] ?? skip('the newest team has no members');
    const list = await expect(send('GET', `/api/v1/administrator/employees?id=${employeeId}`), 200);
    // An employee who deleted the account has no card.
    if (list.body.data.length === 0) skip('the first member of the newest team has no account');
    const card = await expect(send('GET', `/api/v1/administrator/employees/${employeeId}`), 200);
    check(card.body.employeeId === employeeId, 'another employee', card);
  },
};

/** Release 1.0.0 lacks these operations. */
const laterReads: AccountChecks = {
  async 'GET /api/v1/auth/admin/name, /api/v1/users/{id}/mails: those of the administrator'(administrator) {
    const { state, send, expect, check } = administrator;
    await expect(send('GET', '/api/v1/auth/admin/name'), 200);
    const mails = await expect(send('GET', `/api/v1/users/${state.user?.id}/mails`), 200);
    check(Array.isArray(mails.body.data), '/data is no list', mails);
  },
  async 'GET /api/v1/administrator/statistics: today and the days before'({ send, expect, check }) {
    const path = `/api/v1/administrator/statistics?days=7&since=${new Date().toISOString()}`;
    const response = await expect(send('GET', path), 200);
    check(response.body.days.length === 8, '/days are not 8', response);
    check(response.body.since !== undefined, '/since is missing', response);
  },
};

/**
 * Reads what the platform role of the account may read. All other requests use unknown ids, so that they
 * change nothing.
 */
export const backOfficeChecks = (state: AccountState, contract: Contract): Checks => {
  const { operations } = contract;
  const { platformRole } = state.user ?? {};
  if (platformRole === undefined) return {};
  const guarded = operations.filter(({ role }) => role !== undefined);
  const own = guarded.filter(({ role }) => role === platformRole);
  const others = guarded.filter(({ role }) => role !== platformRole);
  return checksOf(state, {
    ...roleChecks(own.filter(isMe), others),
    ...(platformRole === 'ADMIN' && {
      ...listChecks(own),
      ...idChecks(own),
      ...otherReads,
      ...(hasOperation(contract, /^getStatistics$/) && laterReads),
    }),
  });
};
