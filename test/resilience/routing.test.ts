// One of two instances of auth-service fails under load, and few requests fail. ROUTING_FAULT_SECONDS shortens each fault.
import { FAULTS, startRoutingLoad } from './routing/faults.ts';
import { type RoutingFixture, startRoutingFixture } from './routing/fixture.ts';

describe('routing around a failing instance', () => {
  let fixture: RoutingFixture;
  let load: Awaited<ReturnType<typeof startRoutingLoad>>;
  before('start two instances of auth-service, a gateway and its load', async () => {
    fixture = await startRoutingFixture();
    load = await startRoutingLoad(fixture);
  });
  after('stop them', () => fixture?.stop());

  for (const fault of FAULTS) it(`fails few requests: ${fault.name}`, () => load.checkFault(fault));

  it('needs no more memory afterwards', () => load.stop());
});
