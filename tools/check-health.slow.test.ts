import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { resolve } from 'node:path';
import { expect } from 'chai';

const SCRIPT = resolve(import.meta.dirname, '../deploy/check-health.sh');

type Check = { code: number; output: string; seconds: number };

/** Runs the health check as a container does, without the environment of the tests. */
const check = (environment: Record<string, string>, ...args: string[]): Promise<Check> => {
  const env = { PATH: process.env['PATH'], ...environment };
  const startedAt = performance.now();
  return new Promise((settle) => {
    const child = execFile('bash', [SCRIPT, ...args], { env }, (_error, stdout, stderr) =>
      settle({
        code: child.exitCode ?? 1,
        output: stdout + stderr,
        seconds: (performance.now() - startedAt) / 1_000,
      }),
    );
  });
};

describe('health check of the images', () => {
  const servers: Server[] = [];
  const sockets = new Set<Socket>();
  afterEach(() => {
    for (const socket of sockets) socket.destroy();
    for (const server of servers.splice(0)) server.close();
  });

  const listen = async (server: Server, host = '127.0.0.1'): Promise<string> => {
    servers.push(server);
    server.on('connection', (socket: Socket) => sockets.add(socket));
    await once(server.listen(0, host), 'listening');
    return String((server.address() as AddressInfo).port);
  };

  const serve = async (status: number, host?: string) => {
    const paths: string[] = [];
    const server = createHttpServer((req, res) => {
      paths.push(req.url ?? '');
      res.writeHead(status).end('{"status":"from the test"}');
    });
    return { paths, port: await listen(server, host) };
  };

  /** Passes each connection to `respond` and ignores the request. */
  const serveRaw = (respond: (socket: Socket) => void): Promise<string> =>
    listen(createServer((socket) => respond(socket.on('error', () => socket.destroy()))));

  it('succeeds on a 200 response on each address that a process can listen on', async () => {
    const { paths, port } = await serve(200);
    for (const LISTEN_HOST of ['0.0.0.0', '::', '127.0.0.1', 'localhost', '']) {
      const { code, output } = await check({ LISTEN_HOST, OPS_PORT: port }, 'OPS_PORT', '1', '/readyz');
      expect(output).to.equal('200 {"status":"from the test"}\n');
      expect(code).to.equal(0);
    }
    expect(await check({}, 'OPS_PORT', port, '/healthz')).to.have.property('code', 0);
    expect(await check({ OPS_PORT: '' }, 'OPS_PORT', port, '/healthz')).to.have.property('code', 0);
    expect(paths).to.deep.equal([...Array<string>(5).fill('/readyz'), '/healthz', '/healthz']);
  });

  for (const status of [503, 404, 204, 301])
    it(`fails on a ${status} response and prints it`, async () => {
      const { port } = await serve(status);
      const { code, output } = await check({}, 'OPS_PORT', port, '/readyz');
      expect(code).to.equal(1);
      expect(output).to.equal(`${status} ${status === 204 ? '' : '{"status":"from the test"}'}\n`);
    });

  it('fails when the connection is refused', async () => {
    const { port } = await serve(200);
    servers[0]?.close();
    const { code, output } = await check({}, 'OPS_PORT', port, '/healthz');
    expect(code).to.equal(1);
    expect(output).to.include('Connection refused');
  });

  const stalls: Record<string, (socket: Socket) => void> = {
    'accepts the connection and sends nothing': () => undefined,
    'sends the header a byte at a time': (socket) => {
      const bytes = `HTTP/1.1 200 OK\r\nX-Slow: ${'x'.repeat(1_000)}`[Symbol.iterator]();
      const timer = setInterval(() => socket.write(String(bytes.next().value)), 100);
      socket.on('close', () => clearInterval(timer));
    },
    'does not end the header': (socket) => void socket.write('HTTP/1.1 200 OK\r\n'),
    'does not end the body': (socket) => void socket.write('HTTP/1.1 200 OK\r\n\r\n{'),
  };
  for (const [stall, respond] of Object.entries(stalls))
    it(`fails within its time limit when the process ${stall}`, async () => {
      const { code, output, seconds } = await check({}, 'OPS_PORT', await serveRaw(respond), '/healthz');
      expect({ code, output }).to.deep.equal({ code: 1, output: 'no response within 2 s\n' });
      expect(seconds).to.be.at.least(1.9);
    });

  it('fails when the process closes the connection or responds with something else', async () => {
    const closing = await serveRaw((socket) => socket.destroy());
    expect(await check({}, 'OPS_PORT', closing, '/healthz')).to.include({ code: 1 });
    for (const text of ['', 'HTTP/1.1 200', 'SSH-2.0-OpenSSH_10.0\r\n', 'HTTP/1.1 500 200\r\n\r\n']) {
      const port = await serveRaw((socket) => void socket.end(text));
      expect(await check({}, 'OPS_PORT', port, '/healthz'), text).to.include({ code: 1 });
    }
  });
});
