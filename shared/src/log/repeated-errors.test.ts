import { mock } from 'node:test';
import { expect } from 'chai';
import { createErrorLog } from './repeated-errors.ts';

describe('log of repeated errors', () => {
  let lines: string[];
  beforeEach('replace the timer', () => {
    lines = [];
    mock.timers.enable({ apis: ['setTimeout'] });
  });
  afterEach('restore it', () => mock.timers.reset());
  const create = () => {
    const warn = (_details: unknown, message: string) => void lines.push(message);
    return createErrorLog({ warn } as Parameters<typeof createErrorLog>[0], 'worker error');
  };
  const passMinute = () => mock.timers.tick(60_000);

  it('logs an error once, then once a minute with the number of its repetitions', () => {
    const logError = create();
    for (let count = 0; count < 38; count += 1) logError(new Error('connect ECONNREFUSED'));
    expect(lines).to.deep.equal(['worker error']);
    passMinute();
    expect(lines).to.deep.equal(['worker error', 'worker error, repeated 37 times']);
    logError(new Error('connect ECONNREFUSED'));
    passMinute();
    expect(lines.at(-1)).to.equal('worker error, repeated 1 times');
  });

  it('logs an error again after a minute without it', () => {
    const logError = create();
    logError(new Error('connect ECONNREFUSED'));
    passMinute();
    logError(new Error('connect ECONNREFUSED'));
    expect(lines).to.deep.equal(['worker error', 'worker error']);
  });

  it('logs a different error immediately', () => {
    const logError = create();
    logError(new Error('connect ECONNREFUSED'));
    logError(new Error('socket closed'));
    expect(lines).to.have.length(2);
  });

  it('counts an error of Redis as the same in every script', () => {
    const logError = create();
    for (const hash of ['1f0a', '77bc'])
      logError(new Error(`READONLY You can't write against a read only replica. script: ${hash}`));
    expect(lines).to.have.length(1);
  });
});
