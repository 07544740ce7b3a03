// One or both of two instances of auth-service fail under load. ROUTING_FAULT_SECONDS shortens each fault.
import { type RoutingFixture, startRoutingFixture } from './routing/fixture.ts';
import { SCENARIOS, startRoutingLoad, toRow } from './routing/scenarios.ts';

describe('routing around failing instances', () => {
  const figures: Record<string, ReturnType<typeof toRow>> = {};
  let fixture: RoutingFixture;
  let load: Awaited<ReturnType<typeof startRoutingLoad>>;
  before('start two instances of auth-service, a gateway and its load', async () => {
    fixture = await startRoutingFixture();
    load = await startRoutingLoad(fixture);
  });
  after('stop them and print the figures', async () => {
    console.table(figures);
    await fixture?.stop();
  });

  for (const scenario of SCENARIOS)
    it(`fails few requests when ${scenario.name}`, async () => {
      const result = await load.run(scenario);
      figures[scenario.name] = toRow(result);
      scenario.check(result);
    });

  it('needs no more memory afterwards', () => load.stop());
});
