import { once } from 'node:events';
import { createServer } from 'node:net';
import { startProcess } from '@platform/shared/testing/process';
import { getRejection } from '@platform/shared/testing/rejection';
import { expect } from 'chai';
import { type PortRequest, reservePorts } from './ports.ts';

const host = '127.0.0.1';
const any: PortRequest = { port: 0, host };

describe('port reservation', () => {
  it('reserves distinct free ports below the ephemeral range', async () => {
    const names = Array.from({ length: 40 }, (_, index) => [`p${index}`, any] as const);
    const ports = Object.values(await reservePorts(Object.fromEntries(names)));
    await Promise.all(ports.map((port) => port.release()));
    expect(new Set(ports.map(({ port }) => port)).size).to.equal(40);
    for (const { port } of ports) expect(port).to.be.within(20_000, 32_000);
  });

  /** Reserves ports in another process, which then exits. */
  const reserveElsewhere = async (count: number, prelude = ''): Promise<number[]> => {
    const script = `
      import { reservePorts } from '${import.meta.resolve('./ports.ts')}';
      ${prelude}
      const requests = Array.from({ length: ${count} }, (_, index) => [index, { port: 0, host: '${host}' }]);
      const ports = Object.values(await reservePorts(Object.fromEntries(requests)));
      console.log(JSON.stringify(ports.map(({ port }) => port)));
      process.exit();`;
    const other = startProcess(['--input-type=module', '-e', script], { environment: process.env });
    expect(await other.waitForExit()).to.include({ code: 0 });
    const chosen = JSON.parse(other.output()) as number[];
    expect(chosen).to.have.length(count);
    return chosen;
  };

  it('never chooses a port that another process chose and released', async () => {
    const reserve = (count: number) =>
      reservePorts(Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, any])));
    const released = Object.values(await reserve(400));
    await Promise.all(released.map((port) => port.release()));
    const chosen = await reserveElsewhere(400);
    expect(chosen.filter((port) => released.some((own) => own.port === port))).to.deep.equal([]);
  });

  it('chooses no port next to one that a killed stack still uses', async () => {
    // The next process looks for a block of ports in the same order.
    const prelude = `Math.random = () => ${Math.random()};`;
    const ports = await reserveElsewhere(2, prelude);
    const orphan = createServer().listen(ports[1], host);
    await once(orphan, 'listening');
    const chosen = await reserveElsewhere(2, prelude);
    orphan.close();
    expect(chosen.filter((port) => ports.includes(port))).to.deep.equal([]);
  });

  it('holds a port until its release', async () => {
    const { mine } = await reservePorts({ mine: any });
    const fixed = { port: mine.port, host, variable: 'MY_PORT' };
    expect((await getRejection(reservePorts({ fixed }))).message).to.include(
      `Port ${mine.port} (MY_PORT) on ${host} is in use`,
    );
    await mine.release();
    const again = await reservePorts({ fixed });
    await again.fixed.release();
  });

  it('releases all ports when one of them is in use', async () => {
    const { taken, other } = await reservePorts({ taken: any, other: any });
    await other.release();
    const free = { port: other.port, host, variable: 'FREE_PORT' };
    const busy = { port: taken.port, host, variable: 'BUSY_PORT' };
    expect((await getRejection(reservePorts({ free, busy }))).message)
      .to.include('BUSY_PORT=0 npm start')
      .and.not.include('FREE_PORT');
    const again = await reservePorts({ free });
    await Promise.all([again.free.release(), taken.release()]);
  });

  it('waits for a port that becomes free soon', async () => {
    const orphan = createServer().listen(0, host);
    await once(orphan, 'listening');
    const address = orphan.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const waiting = reservePorts({ mine: { port, host, variable: 'MY_PORT' } }, 5);
    orphan.close();
    await (await waiting).mine.release();
  });

  it('names LISTEN_HOST once if it is no address of this machine, and suggests no other port', async () => {
    const request = (variable: string): PortRequest => ({ port: 0, host: '192.0.2.1', variable });
    const { message } = await getRejection(reservePorts({ a: request('A_PORT'), b: request('B_PORT') }));
    expect(message).to.equal('LISTEN_HOST: 192.0.2.1 is not an address of this machine (EADDRNOTAVAIL).');
  });
});
