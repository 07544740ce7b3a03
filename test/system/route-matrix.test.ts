import type { HttpResponse } from '@platform/shared/testing/http-client';
import { send } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { loadRequiredHeaders } from './declared-headers.ts';
import { createCallers } from './route-callers.ts';
import { createRequest } from './route-requests.ts';
import { CALLERS, type CallerName, ROWS, type Row, readOperations } from './route-table.ts';
import { usePlatform } from './use-platform.ts';

const DOCUMENTS = ['admin.yaml', 'auth.yaml'];

const getErrorCode = (status: number, caller: CallerName): string | undefined => {
  switch (status) {
    case 400:
      return 'CODE_INVALID';
    case 401:
      return caller === 'blocked' ? 'USER_BLOCKED' : 'TOKEN_INVALID';
    case 403:
      return 'WORKSPACE_FORBIDDEN';
    case 404:
      return 'SESSION_NOT_FOUND';
    case 409:
      return 'PLATFORM_ROLE_TAKEN';
    default:
      return undefined;
  }
};

/** `200 to ADMIN; 403 to OPERATOR, ARBITER; 401 to the others` */
const describeRow = ({ expected }: Row): string => {
  const statuses = [...new Set(CALLERS.map((name) => expected[name]))].sort();
  if (statuses.length === 1) return `${statuses} to every caller`;
  const named = statuses
    .filter((status) => status !== 401)
    .map((status) => `${status} to ${CALLERS.filter((name) => expected[name] === status).join(', ')}`);
  return [...named, '401 to the others'].join('; ');
};

describe('access control of every route', () => {
  const platform = usePlatform();
  let openCaller: Awaited<ReturnType<typeof createCallers>>;
  before('create the callers', async () => {
    const { running, records } = platform();
    openCaller = await createCallers(running, records);
    // Without any ADMIN the first one registers without a token.
    await records.user(['ADMIN']);
  });

  for (const document of DOCUMENTS) {
    const operations = readOperations(document);
    const rows = ROWS.filter((row) => row.document === document);
    let findRequiredHeaders: Awaited<ReturnType<typeof loadRequiredHeaders>>;
    before('read the declared headers', async () => {
      findRequiredHeaders = await loadRequiredHeaders(document);
    });

    it(`${document} and the table have the same routes`, () => {
      expect(operations.size).to.be.at.least(19);
      expect(rows.map(({ name }) => name).sort()).to.deep.equal([...operations.keys()].sort());
    });

    for (const row of rows) {
      const sendAs = async (caller: CallerName): Promise<HttpResponse> => {
        const device = await openCaller(caller, row);
        const { gatewayUrl, records } = platform();
        const isAllowed = ![401, 403].includes(row.expected[caller]);
        const context = { gatewayUrl, records, device, isAllowed };
        const { path, call } = await createRequest(row, operations.get(row.name), context);
        return await send(gatewayUrl, row.method, path, call);
      };
      it(`${row.name} returns ${describeRow(row)}`, async () => {
        const responses: Partial<Record<CallerName, [number, string | undefined]>> = {};
        for (const caller of CALLERS) {
          const { status, body, headers } = await sendAs(caller);
          responses[caller] = [status, body.code];
          const required = findRequiredHeaders(row.name, status);
          expect(required).to.include.members(['x-request-id', 'ratelimit', 'ratelimit-policy']);
          expect(headers).to.include.keys(required);
        }
        expect(responses).to.deep.equal(
          Object.fromEntries(
            CALLERS.map((name) => [name, [row.expected[name], getErrorCode(row.expected[name], name)]]),
          ),
        );
      });
    }
  }
});
