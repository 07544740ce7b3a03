import type { Device } from '@platform/shared/testing/device';
import {
  findResponse,
  listOperations,
  loadContract,
  type Operation,
} from '@platform/shared/testing/openapi-operations';
import { expectError, send } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { createCallers } from './route-callers.ts';
import { createInvalidRequest, createRequest } from './route-requests.ts';
import { CALLERS, type CallerName, ROWS, type Row } from './route-table.ts';
import { usePlatform } from './use-platform.ts';

const CODES: Record<number, string> = {
  400: 'CODE_INVALID',
  401: 'TOKEN_INVALID',
  403: 'WORKSPACE_FORBIDDEN',
  404: 'SESSION_NOT_FOUND',
  409: 'PLATFORM_ROLE_TAKEN',
};

const getErrorCode = (status: number, caller: CallerName): string | undefined =>
  status === 401 && caller === 'blocked' ? 'USER_BLOCKED' : CODES[status];

/** Returns text such as `200 to ADMIN; 403 to OPERATOR, ARBITER; 401 to the others`. */
const describeRow = ({ expected }: Row): string => {
  const statuses = [...new Set(CALLERS.map((name) => expected[name]))].sort();
  if (statuses.length === 1) return `${statuses} to every caller`;
  const named = statuses
    .filter((status) => status !== 401)
    .map((status) => `${status} to ${CALLERS.filter((name) => expected[name] === status).join(', ')}`);
  return [...named, '401 to the others'].join('; ');
};

/** The headers, in lower case, that the document requires of a response with this status. */
const listRequiredHeaders = (operation: Operation, status: number): string[] => {
  const response = findResponse(operation, status);
  if (!response) throw new Error(`${operation.name} declares no response ${status}`);
  return Object.entries(response.headers ?? {})
    .filter(([, { required }]) => required)
    .map(([header]) => header.toLowerCase());
};

describe('access control of every route', () => {
  const platform = usePlatform();
  const operations = new Map<string, Operation>();
  let callers: Awaited<ReturnType<typeof createCallers>>;
  before('read the documents and create the callers', async () => {
    for (const name of ['auth', 'admin'] as const)
      for (const operation of listOperations(name, await loadContract(name)))
        operations.set(`${operation.method} ${operation.template.replace('/api/v1', '')}`, operation);
    const { running, records } = platform();
    callers = await createCallers(running, records);
    // Without an ADMIN, the first administrator could register without a token.
    await records.user(['ADMIN']);
  });

  it('covers each operation of the documents by a row of the table', () => {
    expect(ROWS.map(({ name }) => name).sort()).to.deep.equal([...operations.keys()].sort());
  });

  const getOperation = ({ name }: Row): Operation => {
    const operation = operations.get(name);
    if (!operation) throw new Error(`There is no operation ${name}`);
    return operation;
  };

  it('rejects invalid requests of allowed callers, where the document says so', async () => {
    for (const row of ROWS) {
      const operation = getOperation(row);
      if (!operation.responses['400']?.description?.includes('VALIDATION_FAILED')) continue;
      const { path, call } = createInvalidRequest(row, operation, await callers.openAllowed(row));
      const { status, code } = await send(platform().gatewayUrl, row.method, path, call);
      expect([status, code], row.name).to.deep.equal([400, 'VALIDATION_FAILED']);
    }
  });

  it('rejects a token whose platform role was removed', async () => {
    const rows = ROWS.filter((row) => getOperation(row).role !== undefined);
    const devices = new Map<string | undefined, Device>();
    for (const row of rows) {
      const { role } = getOperation(row);
      const device = devices.get(role) ?? (await callers.openWithoutRole(row));
      devices.set(role, device);
      const { gatewayUrl, stack, records } = platform();
      const context = { gatewayUrl, issuer: stack.oidcIssuer ?? '', records, device, isAllowed: false };
      const { path, call } = await createRequest(row, getOperation(row), context);
      expectError(await send(gatewayUrl, row.method, path, call), 403, 'PLATFORM_ROLE_INVALID');
    }
  });

  for (const row of ROWS) {
    const sendAs = async (caller: CallerName, operation: Operation) => {
      const device = await callers.open(caller, row);
      const { gatewayUrl, stack, records } = platform();
      const isAllowed = ![401, 403].includes(row.expected[caller]);
      const context = { gatewayUrl, issuer: stack.oidcIssuer ?? '', records, device, isAllowed };
      const { path, call } = await createRequest(row, operation, context);
      return await send(gatewayUrl, row.method, path, call);
    };
    it(`${row.name} returns ${describeRow(row)}`, async () => {
      const operation = getOperation(row);
      for (const caller of CALLERS) {
        const { status, body, headers } = await sendAs(caller, operation);
        const expected = row.expected[caller];
        const code = row.code ?? getErrorCode(expected, caller);
        expect([status, body.code], caller).to.deep.equal([expected, code]);
        const required = listRequiredHeaders(operation, status);
        expect(required).to.include.members(['x-request-id', 'ratelimit', 'ratelimit-policy']);
        expect(headers).to.include.keys(required);
      }
    });
  }
});
