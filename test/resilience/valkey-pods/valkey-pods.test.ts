import { poll } from '@platform/shared/testing/poll';
import { expect } from 'chai';
import { createValkeyPods, hasDocker, PLATFORM_PASSWORD } from './pods.ts';

const VALKEYS = [0, 1, 2, 3].map((ordinal) => `valkey-${ordinal}`);
const SENTINELS = [0, 1, 2].map((ordinal) => `valkey-sentinel-${ordinal}`);
const canRun = hasDocker();

describe(`Valkey in Kubernetes${canRun ? '' : ' (skipped: needs a Docker engine)'}`, function () {
  this.timeout(300_000);
  let pods: ReturnType<typeof createValkeyPods>;

  const cli = (name: string, ...command: string[]): string => pods.exec(name, 'valkey-cli', ...command);
  const asPlatform = (name: string, ...command: string[]): string =>
    cli(name, '--user', 'platform', '--pass', PLATFORM_PASSWORD, '--no-auth-warning', ...command);
  const findPrimary = (): string | undefined => {
    const primaries = pods
      .names()
      .filter((name) => VALKEYS.includes(name) && pods.getRole(name) === 'master');
    return primaries.length === 1 ? primaries[0] : undefined;
  };
  const hasReplicas = (primary: string, count: number): boolean =>
    cli(primary, 'INFO', 'replication').split('state=online').length - 1 === count;
  /** Waits until there is only one primary with this many replicas, and returns its name. */
  const waitForPrimary = async (replicas: number): Promise<string> => {
    const findComplete = () => {
      const primary = findPrimary();
      return primary !== undefined && hasReplicas(primary, replicas) && primary;
    };
    const primary = await poll(findComplete, { timeoutSeconds: 120, everyMilliseconds: 500 });
    if (!primary) throw new Error(`No primary with ${replicas} replicas: ${pods.describe()}`);
    return primary;
  };

  const knowAllReplicas = (): boolean =>
    SENTINELS.every((name) => cli(name, '-p', '26379', 'INFO', 'sentinel').includes('slaves=3,sentinels=3'));
  const isHealthy = (name: string): boolean =>
    pods.exec(name, 'sh', '-c', 'sh /etc/valkey/check-valkey.sh; echo "exit $?"').endsWith('exit 0');

  before('start all pods at once', async function () {
    if (!canRun) this.skip();
    pods = createValkeyPods();
    for (const name of [...VALKEYS, ...SENTINELS]) pods.start(name);
    expect(await waitForPrimary(3)).to.equal('valkey-0');
    // A Sentinel discovers new replicas every 10 s, and makes only known ones follow a new primary.
    expect(await poll(knowAllReplicas, { timeoutSeconds: 60, everyMilliseconds: 500 })).to.equal(true);
  });
  after(() => pods?.close());

  it('gives the processes an account without administrative commands', async () => {
    expect(asPlatform('valkey-0', 'SET', 'account', 'kept')).to.equal('OK');
    expect(asPlatform('valkey-0', 'CONFIG', 'GET', 'dir')).to.include('NOPERM');
    expect(cli('valkey-0', '--user', 'platform', '--pass', 'wrong', 'PING')).to.include('NOAUTH');
    const [name] = asPlatform(
      'valkey-sentinel-1',
      '-p',
      '26379',
      'SENTINEL',
      'get-master-addr-by-name',
      'marketplace',
    ).split('\n');
    expect(name).to.equal('valkey-0.valkey');
    expect(asPlatform('valkey-sentinel-1', '-p', '26379', 'SENTINEL', 'FAILOVER', 'marketplace')).to.include(
      'NOPERM',
    );
  });

  it('finds a replica of a former primary unhealthy', () => {
    for (const name of VALKEYS) expect(isHealthy(name), name).to.equal(true);
    cli('valkey-3', 'REPLICAOF', 'valkey-9.valkey', '6379');
    expect(isHealthy('valkey-3')).to.equal(false);
    cli('valkey-3', 'REPLICAOF', 'valkey-0.valkey', '6379');
  });

  it('promotes a replica when the primary is lost, and takes it back with a new address', async () => {
    pods.stop('valkey-0', 'SIGKILL');
    const primary = await waitForPrimary(2);
    expect(asPlatform(primary, 'GET', 'account')).to.equal('kept');
    pods.start('valkey-0');
    expect(await waitForPrimary(3)).to.equal(primary);
    expect(cli('valkey-0', 'GET', 'account')).to.equal('kept');
  });

  it('hands over before the pod of the primary stops', async () => {
    const primary = await waitForPrimary(3);
    pods.exec(primary, 'sh', '/etc/valkey/stop-valkey.sh');
    expect(pods.getRole(primary)).to.equal('slave');
    pods.stop(primary, 'SIGTERM');
    expect(await waitForPrimary(2)).not.to.equal(primary);
    pods.start(primary);
    await waitForPrimary(3);
  });

  it('starts with the last primary after all pods were gone', async () => {
    // If valkey-0 were the primary, the test could not tell whether the Sentinels remember it, because it is
    // the primary of a new installation.
    if ((await waitForPrimary(3)) === 'valkey-0') pods.exec('valkey-0', 'sh', '/etc/valkey/stop-valkey.sh');
    const primary = await waitForPrimary(3);
    expect(primary).not.to.equal('valkey-0');
    expect(asPlatform(primary, 'SET', 'last', 'written')).to.equal('OK');
    for (const name of pods.names()) pods.stop(name, 'SIGTERM');
    for (const name of VALKEYS) pods.start(name);
    await new Promise((done) => setTimeout(done, 2_000));
    expect(
      VALKEYS.map((name) => pods.getRole(name)),
      'without Sentinels',
    ).to.deep.equal(VALKEYS.map(() => undefined));
    for (const name of SENTINELS) pods.start(name);
    expect(await waitForPrimary(3)).to.equal(primary);
    expect(asPlatform(primary, 'GET', 'last')).to.equal('written');
  });
});
