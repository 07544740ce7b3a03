import type { Device } from '@platform/shared/testing/device';
import { findResponse, loadOperations } from '@platform/shared/testing/openapi-operations';
import { expectError, send } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { createCallers } from './route-callers.ts';
import { createInvalidRequest, createRequest } from './route-requests.ts';
import { type CallerName, type Row, toRows } from './route-table.ts';
import { usePlatform } from './use-platform.ts';

const ROWS = toRows(await loadOperations());

const getErrorCode = ({ expected, code }: Row, caller: CallerName): string | undefined => {
  if (expected[caller] === 403) return 'WORKSPACE_FORBIDDEN';
  if (expected[caller] !== 401) return code;
  return caller === 'blocked' ? 'USER_BLOCKED' : 'TOKEN_INVALID';
};

/** Returns text such as `200 to ADMIN; 403 to OPERATOR, ARBITER; 401 to the others`. */
const describeRow = ({ callers, expected }: Row): string => {
  const statuses = [...new Set(callers.map((name) => expected[name]))].sort();
  if (statuses.length === 1) return `${statuses} to every caller`;
  const named = statuses
    .filter((status) => status !== 401)
    .map((status) => `${status} to ${callers.filter((name) => expected[name] === status).join(', ')}`);
  return [...named, '401 to the others'].join('; ');
};

/** The headers, in lower case, that the document requires of a response with this status. */
const listRequiredHeaders = (row: Row, status: number): string[] => {
  const response = findResponse(row, status);
  if (!response) throw new Error(`${row.name} declares no response ${status}`);
  return Object.entries(response.headers ?? {})
    .filter(([, { required }]) => required)
    .map(([header]) => header.toLowerCase());
};

describe('access control of every route', () => {
  const platform = usePlatform();
  let callers: Awaited<ReturnType<typeof createCallers>>;
  before('create the callers', async () => {
    const { running, records } = platform();
    callers = await createCallers(running, records);
    // Without an ADMIN, the first administrator could register without a token.
    await records.user(['ADMIN']);
  });

  it('rejects invalid requests of allowed callers, where the document says so', async () => {
    for (const row of ROWS) {
      if (!row.responses['400']?.description?.includes('VALIDATION_FAILED')) continue;
      const { path, call } = createInvalidRequest(row, await callers.openAllowed(row));
      const { status, code } = await send(platform().gatewayUrl, row.method, path, call);
      expect([status, code], row.title).to.deep.equal([400, 'VALIDATION_FAILED']);
    }
  });

  it('rejects a token whose platform role was removed', async () => {
    const devices = new Map<string, Device>();
    for (const row of ROWS) {
      const { role } = row;
      if (role === undefined) continue;
      const device = devices.get(role) ?? (await callers.openWithoutRole(row));
      devices.set(role, device);
      const { gatewayUrl, stack, records } = platform();
      const context = { gatewayUrl, issuer: stack.oidcIssuer ?? '', records, device, isAllowed: false };
      const { path, call } = await createRequest(row, context);
      expectError(await send(gatewayUrl, row.method, path, call), 403, 'PLATFORM_ROLE_INVALID');
    }
  });

  for (const row of ROWS) {
    const sendAs = async (caller: CallerName) => {
      const device = await callers.open(caller, row);
      const { gatewayUrl, stack, records } = platform();
      const isAllowed = ![401, 403].includes(row.expected[caller]);
      const context = { gatewayUrl, issuer: stack.oidcIssuer ?? '', records, device, isAllowed };
      const { path, call } = await createRequest(row, context);
      return await send(gatewayUrl, row.method, path, call);
    };
    it(`${row.title} returns ${describeRow(row)}`, async () => {
      for (const caller of row.callers) {
        const { status, body, headers } = await sendAs(caller);
        const code = getErrorCode(row, caller);
        expect([status, body.code], caller).to.deep.equal([row.expected[caller], code]);
        const required = listRequiredHeaders(row, status);
        expect(required).to.include.members(['x-request-id', 'ratelimit', 'ratelimit-policy']);
        expect(headers).to.include.keys(required);
      }
    });
  }
});
