import { mock } from 'node:test';
import { expect } from 'chai';
import { createLogRateLimit } from './log-rate-limit.ts';

type Log = Parameters<typeof createLogRateLimit>[0];

describe('limit of log lines', () => {
  let warnings: unknown[][];
  let counted: number;
  let mayWrite: ReturnType<typeof createLogRateLimit>;
  beforeEach('create a limit, and replace the timer', () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    warnings = [];
    counted = 0;
    const warn = (...warning: unknown[]) => void warnings.push(warning);
    const countDroppedLine = () => {
      counted += 1;
    };
    mayWrite = createLogRateLimit({ warn } as Log, { countDroppedLine });
  });
  afterEach('restore it', () => mock.timers.reset());
  const write = (address: string, count: number): number =>
    Array.from({ length: count }, () => mayWrite(address)).filter(Boolean).length;
  const passMinute = () => mock.timers.tick(60_000);

  it('is 100 a minute for a client network, and counts the rest', () => {
    expect(write('192.0.2.1', 130)).to.equal(100);
    expect(write('192.0.2.2', 20)).to.equal(20);
    expect(counted).to.equal(30);
    passMinute();
    expect(write('192.0.2.1', 130)).to.equal(100);
  });

  it('is eight times as many for the wider network of IPv6 clients', () => {
    for (let network = 1; network <= 8; network += 1)
      expect(write(`2001:db8:0:${network}::1`, 100)).to.equal(100);
    expect(write('2001:db8:0:9::1', 100)).to.equal(0);
    expect(write('2001:db8:1::1', 1)).to.equal(1);
  });

  it('is reported once a minute with the number of lines and the networks that wrote most', () => {
    for (let last = 1; last <= 12; last += 1) write(`192.0.2.${last}`, 100 + last);
    passMinute();
    const networks = Object.fromEntries(
      Array.from({ length: 10 }, (_, index) => [`192.0.2.${12 - index}`, 12 - index]),
    );
    expect(warnings).to.deep.equal([
      [{ lines: 78, networks }, 'log lines of requests without a route dropped'],
    ]);
    write('192.0.2.1', 100);
    passMinute();
    expect(warnings).to.have.length(1);
  });
});
