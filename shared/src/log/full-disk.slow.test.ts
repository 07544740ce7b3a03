import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseMetrics } from '@platform/shared/testing/parse-metrics';
import { waitFor } from '@platform/shared/testing/poll';
import { type NodeProcess, startProcess } from '@platform/shared/testing/process';
import { expect } from 'chai';

type Line = { msg: string; path?: string; port?: number; opsPort?: number };

/** Only root can mount the small disk, which is in memory. Otherwise the test skips itself. */
describe('log on a full disk', () => {
  let disk: string;
  let file: number;
  let gateway: NodeProcess | undefined;
  const log = () => join(disk, 'gateway.log');
  /** Fails if a line is not JSON. */
  const readLines = async (): Promise<Line[]> =>
    (await readFile(log(), 'utf8'))
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));

  before('mount the disk', async function () {
    disk = await mkdtemp(join(tmpdir(), 'log-disk-'));
    const mount = ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', disk];
    if (process.platform !== 'linux' || spawnSync('mount', mount).status !== 0) this.skip();
    file = openSync(log(), 'a');
    gateway = startProcess(['gateway/src/main.ts'], {
      environment: {
        PATH: process.env['PATH'],
        NODE_ENV: 'test',
        GATEWAY_PORT: '0',
        GATEWAY_OPS_PORT: '0',
        RATE_LIMIT_SCALE: '1000',
        AUTH_SERVICE_URLS: 'http://127.0.0.1:1',
        ADMIN_SERVICE_URLS: 'http://127.0.0.1:1',
      },
      stdout: file,
    });
  });
  after('unmount it', async () => {
    await gateway?.stop();
    if (file !== undefined) closeSync(file);
    spawnSync('umount', ['--lazy', disk]);
    await rm(disk, { recursive: true, force: true });
  });

  it('ends no process, counts the lost lines, and continues when there is space', async () => {
    const { port, opsPort } = await waitFor('the gateway listens', async () =>
      (await readLines()).find(({ msg }) => msg === 'listening'),
    );
    const send = async (path: string): Promise<number> =>
      (await fetch(`http://127.0.0.1:${port}${path}`)).status;
    const countLost = async (): Promise<number> => {
      const page = await (await fetch(`http://127.0.0.1:${opsPort}/metrics`)).text();
      return (
        parseMetrics(page).find(
          ({ name, labels }) => name === 'log_lines_dropped_total' && labels['reason'] === 'output',
        )?.value ?? 0
      );
    };
    await waitFor('lines are lost', async () => {
      for (let rest = 100; rest > 0; rest -= 1) expect(await send('/api/v1/users')).to.equal(502);
      return (await countLost()) > 0;
    });
    expect(gateway?.hasExited()).to.equal(false);

    spawnSync('mount', ['-o', 'remount,size=8m', disk]);
    await waitFor('new lines are written', async () => {
      await send('/openapi.json');
      return (await readLines()).some(({ path }) => path === '/openapi.json');
    });
  });
});
