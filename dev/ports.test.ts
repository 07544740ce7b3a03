import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect } from 'chai';
import { type PortWish, reservePorts } from './ports.ts';

const host = '127.0.0.1';
const any: PortWish = { port: 0, host };

const rejection = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return 'nothing was refused';
};

describe('The ports of the development stack', () => {
  it('When any port will do, then each is another, and none is one the kernel gives to outgoing connections', async () => {
    const names = Array.from({ length: 40 }, (_, index) => [`p${index}`, any] as const);
    const ports = Object.values(await reservePorts(Object.fromEntries(names)));
    await Promise.all(ports.map((held) => held.release()));
    expect(new Set(ports.map(({ port }) => port)).size).to.equal(40);
    for (const { port } of ports) expect(port).to.be.within(20_000, 32_000);
  });

  it('When a port is reserved, then nobody else can bind it, until it is released', async () => {
    const { mine } = await reservePorts({ mine: any });
    const fixed = { port: mine.port, host, variable: 'MY_PORT' };
    expect(await rejection(reservePorts({ fixed }))).to.include(
      `Port ${mine.port} (MY_PORT) on ${host} is taken`,
    );
    await mine.release();
    const again = await reservePorts({ fixed });
    await again.fixed.release();
  });

  it('When one port is taken, then the others are given back', async () => {
    const { taken, other } = await reservePorts({ taken: any, other: any });
    await other.release();
    const free = { port: other.port, host, variable: 'FREE_PORT' };
    const busy = { port: taken.port, host, variable: 'BUSY_PORT' };
    expect(await rejection(reservePorts({ free, busy })))
      .to.include('BUSY_PORT=0 npm start')
      .and.not.include('FREE_PORT');
    const again = await reservePorts({ free });
    await Promise.all([again.free.release(), taken.release()]);
  });

  it('When a port is about to be given back, then it is waited for', async () => {
    const orphan = createServer().listen(0, host);
    await once(orphan, 'listening');
    const address = orphan.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const waiting = reservePorts({ mine: { port, host, variable: 'MY_PORT' } }, 5);
    orphan.close();
    await (await waiting).mine.release();
  });

  it('When two fixed ports are the same, then both variables are named', async () => {
    const wishes = {
      a: { port: 3000, host, variable: 'A_PORT' },
      b: { port: 3000, host, variable: 'B_PORT' },
    };
    expect(await rejection(reservePorts(wishes))).to.include('A_PORT and B_PORT are both 3000');
  });
});
