import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request as send } from 'node:http';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import { type StandIn, startStandIn } from './fake-upstream.ts';

const MAIN = new URL('../src/main.ts', import.meta.url).pathname;

type Line = { msg: string; port?: number; opsPort?: number };
type Process = { child: ChildProcess; waitFor: (message: string) => Promise<Line>; exit: Promise<unknown[]> };

const startProcess = (environment: Record<string, string>): Process => {
  const child = spawn(process.execPath, [MAIN], {
    env: { NODE_ENV: 'test', GATEWAY_PORT: '0', GATEWAY_OPS_PORT: '0', DRAIN_SECONDS: '0', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: Line[] = [];
  const waiting = new Map<string, (line: Line) => void>();
  createInterface({ input: child.stdout }).on('line', (text) => {
    const line: Line = JSON.parse(text);
    lines.push(line);
    waiting.get(line.msg)?.(line);
  });
  return {
    child,
    exit: once(child, 'exit'),
    waitFor: (message) =>
      new Promise((resolve) => {
        const line = lines.find(({ msg }) => msg === message);
        if (line) resolve(line);
        else waiting.set(message, resolve);
      }),
  };
};

describe('The process of the gateway', function () {
  this.timeout(10_000);
  let service: StandIn;
  let arrived: PromiseWithResolvers<void>;
  let release: PromiseWithResolvers<void>;

  beforeEach(async () => {
    arrived = Promise.withResolvers();
    release = Promise.withResolvers();
    service = await startStandIn(async (_req, res) => {
      arrived.resolve();
      await release.promise;
      res.end('whole');
    });
  });
  afterEach(() => service.stop());

  const start = () => startProcess({ AUTH_SERVICE_URLS: service.url, ADMIN_SERVICE_URLS: service.url });

  it('When it is told to stop in the middle of a request, then that is answered, and it exits with 0', async () => {
    const gateway = start();
    const { port } = await gateway.waitFor('listening');
    const agent = new Agent({ keepAlive: true });
    const outgoing = send({ port, path: '/api/v1/users', agent }).end();
    await arrived.promise;
    gateway.child.kill('SIGTERM');
    await gateway.waitFor('stopping');
    release.resolve();
    const [answer] = await once(outgoing, 'response');
    let text = '';
    for await (const part of answer) text += part;
    expect(answer.statusCode).to.equal(200);
    expect(text).to.equal('whole');
    // The client keeps its connection for more, which must not keep the process.
    expect(await gateway.exit).to.deep.equal([0, null]);
    agent.destroy();
  });

  it('When nothing is under way, then a stop is immediate, kept connections or not', async () => {
    release.resolve();
    const gateway = start();
    const { port } = await gateway.waitFor('listening');
    const agent = new Agent({ keepAlive: true });
    const outgoing = send({ port, path: '/api/v1/users', agent }).end();
    const [answer] = await once(outgoing, 'response');
    answer.resume();
    await once(answer, 'end');
    gateway.child.kill('SIGTERM');
    expect(await gateway.exit).to.deep.equal([0, null]);
    agent.destroy();
  });

  it('While it stops, the operations port says that it is not ready', async () => {
    const gateway = start();
    const { port, opsPort } = await gateway.waitFor('listening');
    const underway = fetch(`http://127.0.0.1:${port}/api/v1/users`);
    await arrived.promise;
    gateway.child.kill('SIGTERM');
    await gateway.waitFor('stopping');
    const ready = await fetch(`http://127.0.0.1:${opsPort}/readyz`);
    expect(ready.status).to.equal(503);
    expect(await ready.json()).to.deep.equal({ status: 'unavailable', failing: ['stopping'] });
    release.resolve();
    expect((await underway).status).to.equal(200);
    await gateway.exit;
  });

  it('When the configuration is incomplete, then it says all that is missing and exits with 1', async () => {
    const gateway = startProcess({ NODE_ENV: 'production' });
    const closing = once(createInterface({ input: gateway.child.stdout ?? process.stdin }), 'line');
    const [line] = await closing;
    expect(line)
      .to.match(/CORS_ORIGINS/)
      .and.match(/AUTH_SERVICE_URLS/)
      .and.match(/ADMIN_SERVICE_URLS/);
    expect(await gateway.exit).to.deep.equal([1, null]);
  });
});
