// Kills, freezes and switches over PostgreSQL with Patroni and Redis with Sentinels under load;
// FAILOVER_ROUNDS repeats each fault.
import { toRow } from './failover/check-round.ts';
import { PATRONI_GROUP } from './failover/patroni-group.ts';
import { SENTINEL_GROUP } from './failover/sentinel-group.ts';
import { startGroup } from './failover/start-group.ts';

const ROUNDS = Number(process.env['FAILOVER_ROUNDS'] ?? 1);

for (const group of [PATRONI_GROUP, SENTINEL_GROUP])
  describe(`failover of ${group.name} under 48 requests a second`, () => {
    const figures: Record<string, ReturnType<typeof toRow>> = {};
    let running: Awaited<ReturnType<typeof startGroup>>;
    before('start the engines and the platform', async function () {
      const obstacle = group.findObstacle();
      if (obstacle !== undefined) {
        console.log(`      ${obstacle}`);
        return this.skip();
      }
      running = await startGroup(group);
    });
    after('stop them and print the figures', async () => {
      console.table(figures);
      await running?.stop();
    });

    for (const name of group.scenarioNames)
      for (let round = 1; round <= ROUNDS; round += 1)
        it(`loses nothing: ${name}${ROUNDS > 1 ? ` ${round}` : ''}`, async () => {
          figures[`${name} ${round}`] = toRow(await running.runScenario(name));
        });

    it('leaves every process running, with its metrics', () => running.expectAllRunning());
  });
