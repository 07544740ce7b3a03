import { bearer } from '@platform/shared/testing/auth-client';
import { getCookie, type HttpResponse } from '@platform/shared/testing/http-client';
import type { Operation } from '../../openapi-operations.ts';
import type { Contract } from '../contract.ts';
import type { Check, Probe } from '../probe.ts';
import { type AccountState, requireDevice } from './account-state.ts';
import { isList, listChecks } from './back-office-lists.ts';
import { toPath } from './invalid-requests.ts';

type Fields = { id?: string; body?: object };

/** Without `id`, the id of the path exists nowhere. */
const send = (
  state: AccountState,
  probe: Probe,
  operation: Operation,
  { id, body = operation.body?.isRequired ? {} : undefined }: Fields = {},
): Promise<HttpResponse> =>
  probe.call({
    method: operation.method,
    path: toPath(operation, id),
    headers: bearer(requireDevice(state, probe)),
    body,
  });

const isGetWithoutId = (operation: Operation): boolean =>
  operation.method === 'GET' && !operation.template.includes('{') && !isList(operation);

const ownRoutesCheck = (state: AccountState, own: readonly Operation[]): Check => ({
  name: `${own.map(({ template }) => template).join(', ')}: the caller with the stored role`,
  run: async (probe) => {
    for (const operation of own) {
      const response = await send(state, probe, operation);
      probe.expect(response, 200);
      const { id, userId = id, platformRole, email = state.email } = Object(response.body);
      probe.check(userId === state.user?.id, 'another user', response);
      probe.check(email === state.email.toLowerCase(), '/email is another one', response);
      probe.check(platformRole === state.user?.platformRole, '/platformRole is another one', response);
    }
  },
});

const otherWorkspacesCheck = (state: AccountState, others: readonly Operation[]): Check => ({
  name: `${others.length} operations of other workspaces: 403 WORKSPACE_FORBIDDEN, before the contract is checked`,
  run: async (probe) => {
    for (const operation of others) {
      const response = await send(state, probe, operation, { id: 'not-a-uuid' });
      probe.expect(response, 403, 'WORKSPACE_FORBIDDEN');
    }
  },
});

/** The name of the operation's path parameter, if there is one. */
const getParameter = ({ template }: Operation): string | undefined => /\{(\w+)\}/.exec(template)?.[1];

const idCheck = (state: AccountState, operation: Operation): Check => ({
  name: `${operation.method} ${operation.template}: 400 VALIDATION_FAILED for an invalid id, 404 for an unknown one`,
  run: async (probe) => {
    const invalid = await send(state, probe, operation, { id: 'not-a-uuid' });
    probe.expect(invalid, 400, 'VALIDATION_FAILED', `/params/${getParameter(operation)}`);
    const unknown = await send(state, probe, operation);
    probe.expect(unknown, 404);
    probe.check(unknown.code !== 'ROUTE_NOT_FOUND', 'there is no such route', unknown);
  },
});

const registrationCheck = (state: AccountState): Check => ({
  name: 'POST /api/v1/auth/admin/register: only for an ADMIN, and with a valid body',
  run: async (probe) => {
    const headers = bearer(requireDevice(state, probe));
    const path = `${state.kind.path}/register`;
    const response = await probe.call({ method: 'POST', path, headers, body: {} });
    if (state.user?.platformRole === 'ADMIN')
      probe.expect(response, 400, 'VALIDATION_FAILED', '/body/email', '/body/password');
    else probe.expect(response, 403, 'WORKSPACE_FORBIDDEN');
  },
});

const QUEUES = '/api/v1/administrator/queues';

const queuesCheck = (state: AccountState): Check => ({
  name: `${QUEUES}: the dashboard opens with the cookie of its session only`,
  run: async (probe) => {
    const headers = bearer(requireDevice(state, probe));
    const opened = await probe.call({ method: 'POST', path: `${QUEUES}/session`, headers });
    probe.expect(opened, 204);
    probe.expect(await probe.call({ path: `${QUEUES}/`, headers: {} }), 401);
    const cookie = { Cookie: `QueuesToken=${getCookie(opened, 'QueuesToken')}` };
    probe.expect(await probe.call({ path: `${QUEUES}/`, headers: cookie }), 200);
  },
});

/** Reads what the platform role of the account may read; ids that exist nowhere keep all other requests from writing. */
export const backOfficeChecks = (state: AccountState, { operations }: Contract): Check[] => {
  const { platformRole } = state.user ?? {};
  if (platformRole === undefined) return [];
  const guarded = operations.filter(({ role }) => role !== undefined);
  const own = guarded.filter(({ role }) => role === platformRole);
  const withId = own.filter((operation) => getParameter(operation) !== undefined);
  const checks = [
    ownRoutesCheck(state, own.filter(isGetWithoutId)),
    otherWorkspacesCheck(
      state,
      guarded.filter(({ role }) => role !== platformRole),
    ),
    registrationCheck(state),
  ];
  if (platformRole !== 'ADMIN') return checks;
  return [
    ...checks,
    ...listChecks(state, own),
    ...withId.map((operation) => idCheck(state, operation)),
    queuesCheck(state),
  ];
};
