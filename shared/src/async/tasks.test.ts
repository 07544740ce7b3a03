import { expect } from 'chai';
import { waitFor } from '../../testing/poll.ts';
import { runPeriodically } from './tasks.ts';

const INTERVAL = 20;

describe('periodic task', () => {
  it('doubles the pause with each consecutive error, and returns to the interval after a success', async () => {
    const starts: number[] = [];
    const errors: unknown[] = [];
    const failures = [1, 2, 3, 4];
    const task = async (): Promise<void> => {
      starts.push(performance.now());
      if (failures.includes(starts.length)) throw new Error('unavailable');
    };
    const running = runPeriodically(task, {
      intervalMilliseconds: INTERVAL,
      onError: (error) => errors.push(error),
    });
    await waitFor('the task ran again after its success', () => starts.length >= 6);
    await running.stop();
    const pauses = starts.slice(1, 6).map((start, index) => start - (starts[index] ?? 0));
    for (const [index, pause] of pauses.slice(0, 4).entries())
      expect(pause).to.be.at.least(INTERVAL * 2 ** (index + 1) - 1);
    expect(pauses[4]).to.be.below(INTERVAL * 8);
    expect(errors).to.have.length(4);
  });
});
