// The baseline of `GET /users`: node:http that verifies the token and runs the statements of admin-service. No router, validation,
// logs, metrics or errors. Reads DATABASE_URL, PORT and ACCESS_SECRET.
import { createServer } from 'node:http';
import { createLists, toPageBody } from '@platform/admin-service/lists/lists';
import { USERS } from '@platform/admin-service/users/users-store';
import { createCallerStore } from '@platform/admin-service/workspaces/callers-store';
import { connectDatabase, query, type Statement } from '@platform/shared/db/database';
import { createTokenKeys, parseBearerToken, verifyToken } from '@platform/shared/tokens/tokens';

const { DATABASE_URL: url = '', PORT, ACCESS_SECRET = '' } = process.env;
const keys = createTokenKeys({ current: ACCESS_SECRET, previous: [] });
const options = { url, applicationName: 'bench', maxConnections: 10, onError: () => undefined };
const { database } = connectDatabase(options);
const { checkAccess } = createCallerStore(database, () => undefined);
const read = <Row>(statement: Statement) => query<Row>(database, statement);
const fetchPage = createLists({ read, search: read });

const findBody = async (authorization: string | undefined): Promise<string> => {
  const claims = verifyToken(parseBearerToken(authorization) ?? '', keys);
  if (!claims) throw new Error('The token is invalid');
  await checkAccess(claims);
  return JSON.stringify(toPageBody(await fetchPage(USERS, { page: 1, perPage: 10 }), (user) => user));
};

createServer((req, res) => {
  void findBody(req.headers.authorization)
    .catch(() => undefined)
    .then((body) => {
      const length = { 'Content-Length': Buffer.byteLength(body ?? '') };
      res.writeHead(body ? 200 : 401, { 'Content-Type': 'application/json; charset=utf-8', ...length });
      res.end(body);
    });
}).listen(Number(PORT), '127.0.0.1');
