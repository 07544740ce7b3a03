// 60 s of each fault of another service behind the gateway, while customers request `me`. FLOOD_SECONDS
// shortens each.
import { runAttack } from './floods/attack.ts';
import { FAULT_NAMES, startFaultyService } from './floods/faulty-service.ts';

describe("the platform's own paths beside another service", () => {
  const figures: Record<string, object> = {};
  after('print the figures', () => console.table(figures));

  for (const fault of FAULT_NAMES)
    it(`succeed while it ${fault}`, async () => {
      const service = await startFaultyService(fault);
      figures[fault] = await runAttack(service).finally(service.stop);
    });
});
