import { expect } from 'chai';
import { openShell, type Shell } from './shell-session.ts';

describe('A shell for the commands of a page', () => {
  let shell: Shell;
  beforeEach(() => {
    shell = openShell({ cwd: '/', env: process.env, commandSeconds: 1 });
  });
  afterEach(() => shell.close());

  it('When a command sets a variable or a function, then the next one has it', async () => {
    await shell.run('COLOR=blue; tell() { echo "it is $COLOR"; }');
    expect(await shell.run('tell')).to.equal('it is blue\n');
  });

  it('When a command prints on standard error, or fails, then both are seen, and the next one runs', async () => {
    expect(await shell.run('echo out; echo err >&2; false')).to.equal('out\nerr\n');
    expect(await shell.run('echo "exit code $?"; pwd')).to.match(/\n\/\n$/);
  });

  it('When a command reads its input, then it gets none of the commands that follow', async () => {
    expect(await shell.run('cat')).to.equal('');
    expect(await shell.run('cat <<TEXT\nown\nTEXT')).to.equal('own\n');
  });

  it('When a command does not end, then that is told with what it had printed', async () => {
    const error = await shell.run('echo begun; sleep 60').catch((reason: Error) => reason);
    expect(error).to.be.an('error').with.property('message').that.includes('1 s').and.includes('begun');
  });

  it('When it is closed, then what a command left running in the background ends', async () => {
    await shell.run('sleep 60 &');
    // It holds the shell's output, so that the end would be a minute away.
    await shell.close();
  }).timeout(10_000);
});
