import { expect } from 'chai';
import { openShell, type Shell } from './shell-session.ts';

describe('shell session', () => {
  let shell: Shell;
  beforeEach(() => {
    shell = openShell({ cwd: '/', env: process.env, commandSeconds: 1 });
  });
  afterEach(() => shell.close());

  it('keeps variables and functions between commands', async () => {
    await shell.run('COLOR=blue; show() { echo "it is $COLOR"; }');
    expect(await shell.run('show')).to.equal('it is blue\n');
  });

  it('returns standard error and continues after a failed command', async () => {
    expect(await shell.run('echo out; echo err >&2; false')).to.equal('out\nerr\n');
    expect(await shell.run('echo "exit code $?"; pwd')).to.match(/\n\/\n$/);
  });

  it('gives a command no input from the following commands', async () => {
    expect(await shell.run('cat')).to.equal('');
    expect(await shell.run('cat <<TEXT\nown\nTEXT')).to.equal('own\n');
  });

  it('reports a timeout with the output so far', async () => {
    const error = await shell.run('echo started; sleep 60').catch((reason: Error) => reason);
    expect(error).to.be.an('error').with.property('message').that.includes('1 s').and.includes('started');
  });

  it('terminates background processes on close', async () => {
    await shell.run('sleep 60 &');
    // The background process holds the output pipe open; without termination, close would take a minute.
    await shell.close();
  });
});
