import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Writable } from 'node:stream';
import { expect } from 'chai';
import { createLog } from './log.ts';

const SECRETS = [
  'authorization',
  'cookie',
  'set-cookie',
  'password',
  'currentPassword',
  'newPassword',
  'token',
  'code',
  'detail',
  'where',
];

describe('Log redaction', () => {
  let output = '';
  beforeEach(() => {
    output = '';
  });
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      output += chunk;
      done();
    },
  });
  const log = createLog({ service: 'test', level: 'trace' }, stream);
  const secrets = (): Record<string, string> =>
    Object.fromEntries(SECRETS.map((name) => [name, `secret of ${name}`]));

  const DEPTHS: Record<string, (held: object) => object> = {
    'at the top of a line': (held) => held,
    'one level deep': (held) => ({ headers: held }),
    'two levels deep': (held) => ({ request: { headers: held } }),
    'in an error': (held) => ({ err: Object.assign(new Error('failed'), held) }),
    'in an object of an error': (held) => ({ err: Object.assign(new Error('failed'), { response: held }) }),
    'in a list': (held) => ({ attempts: [held] }),
  };

  for (const [where, place] of Object.entries(DEPTHS))
    it(`removes every secret ${where}, at each log level and in child logs, and keeps the rest`, () => {
      const child = log.child({ requestId: 'of a child' });
      for (const level of ['trace', 'info', 'error', 'fatal'] as const)
        for (const each of [log, child]) each[level](place({ ...secrets(), route: 'kept' }), 'a line');
      const lines = output.trim().split('\n');
      expect(lines).to.have.lengthOf(8);
      for (const line of lines) expect(line).to.include('"kept"').and.to.include('"msg":"a line"');
      expect(output).not.to.include('secret of');
    });

  it('keeps the type of an error whose code, row and parameters are removed', () => {
    const row = 'Failing row contains (ada@example.com).';
    log.error(
      { err: Object.assign(new Error('failed'), { code: '23514', detail: row, where: row }) },
      'a line',
    );
    const { err } = JSON.parse(output);
    expect(err).to.include({ type: 'Error', message: 'failed', errorType: '23514' });
    expect(err.stack).to.include('log.test.ts');
    expect(output).not.to.include('ada@');
  });

  it('removes secrets from the bindings of a child log', () => {
    log.child({ request: { headers: secrets() } }).info('a line');
    expect(output).to.include('a line').and.not.to.include('secret of');
  });
});

describe('Log at process exit', () => {
  const MODULE = JSON.stringify(new URL('./log.ts', import.meta.url));
  const SCRIPT = `
    import { createLog } from ${MODULE};
    process.once('message', () => {
      createLog({ service: 'test', level: 'info' }).info('the last line');
      process.exit(3);
    });`;
  const children: ChildProcess[] = [];
  const start = () => {
    const stdio = ['ignore', 'pipe', 'inherit', 'ipc'] as const;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', SCRIPT], { stdio: [...stdio] });
    children.push(child);
    return child;
  };
  afterEach('kill the remaining processes', () => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
  });

  it('contains the last line', async () => {
    const child = start();
    let output = '';
    child.stdout?.on('data', (chunk) => {
      output += chunk;
    });
    child.send('end');
    expect(await once(child, 'close')).to.deep.equal([3, null]);
    expect(output).to.include('"msg":"the last line"');
  });

  it('does not block exit when the reader of standard output is gone', async () => {
    const child = start();
    child.stdout?.destroy();
    child.send('end');
    expect(await once(child, 'exit', { signal: AbortSignal.timeout(10_000) })).to.deep.equal([3, null]);
  });
});
