import { waitFor } from '@platform/shared/testing/poll';
import { expect } from 'chai';
import { createProgress } from './progress.ts';

const endAtOnce = async (): Promise<void> => undefined;

describe('progress of npm start', () => {
  let lines: string[];
  let finish: () => void;
  let untilFinished: Promise<void>;

  beforeEach(() => {
    lines = [];
    ({ promise: untilFinished, resolve: finish } = Promise.withResolvers<void>());
  });

  /** A line is due as soon as nothing was printed for a moment. */
  const create = () => createProgress((line) => lines.push(line), 0.01);
  const waitForLines = (count: number) => waitFor(`${count} lines`, () => lines.length >= count);

  it('prints a line with the seconds of each part that is done', async () => {
    const progress = createProgress((line) => lines.push(line));
    await progress.run({ name: 'schema', done: 'The schema is up to date' }, endAtOnce);
    await progress.run({ name: 'ports' }, endAtOnce);
    expect(lines.join()).to.match(/^The schema is up to date \(\d+\.\d s\)\.$/);
  });

  it('names the parts that are late and their logs, again and again until they are done', async () => {
    const progress = create();
    const both = [
      progress.run({ name: 'auth-service', logFile: '/logs/auth-service.log' }, () => untilFinished),
      progress.run({ name: 'schema' }, () => untilFinished),
    ];
    await waitForLines(2);
    finish();
    await Promise.all(both);
    const count = lines.length;
    for (const line of lines)
      expect(line).to.match(
        /^Waiting for auth-service \(\d+ s, log: \/logs\/auth-service\.log\), schema \(\d+ s\)\.$/,
      );
    await progress.run({ name: 'last' }, endAtOnce);
    expect(lines).to.have.length(count);
  });

  it('does not name a part that only waits for another one', async () => {
    const progress = create();
    const gateway = { name: 'gateway', waitsFor: ['auth-service'] };
    const both = [
      progress.run(gateway, () => untilFinished),
      progress.run({ name: 'auth-service' }, () => untilFinished),
    ];
    await waitForLines(1);
    expect(lines[0]).to.match(/^Waiting for auth-service \(\d+ s\)\.$/);
    expect(progress.isBlocked(gateway)).to.equal(true);
    finish();
    await Promise.all(both);
    expect(progress.isBlocked(gateway)).to.equal(false);
  });

  it('forgets a part that fails', async () => {
    const progress = create();
    const failed = progress.run({ name: 'schema', done: 'done' }, () => Promise.reject(new Error('no')));
    expect(await failed.catch(String)).to.equal('Error: no');
    const later = progress.run({ name: 'pages' }, () => untilFinished);
    await waitForLines(1);
    finish();
    await later;
    expect(lines[0]).to.match(/^Waiting for pages \(/);
  });
});
