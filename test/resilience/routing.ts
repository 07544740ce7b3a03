// `npm run test:resilience -- routing`: one of two instances of auth-service fails under load, and few requests fail.
// `-- routing half Redis` selects faults; ROUTING_FAULT_SECONDS shortens each fault.
import { isSelected, type Report, runSuite } from '@platform/shared/testing/suite';
import { checkAbandonedRequests } from './routing/abandoned-requests.ts';
import { findDnsObstacle, startDnsGateway } from './routing/dns-gateway.ts';
import { checkFaults, FAULTS, PARTIAL_FAULTS } from './routing/faults.ts';
import { type RoutingFixture, startRoutingFixture } from './routing/fixture.ts';

/** A network of the loopback interface, so that two runs of the suite do not use the same addresses. */
const NETWORK = `127.${(process.pid >> 8) & 0xff || 1}.${process.pid & 0xff}`;

const checkStaticAddresses = async (report: Report, fixture: RoutingFixture): Promise<void> => {
  const { platform, instances, admin } = fixture;
  const gateway = await platform.create('gateway', {
    AUTH_SERVICE_URLS: instances.map(({ front }) => front.url).join(),
    ADMIN_SERVICE_URLS: admin.url,
  });
  await gateway.start();
  const faults = [...FAULTS, ...PARTIAL_FAULTS];
  await checkFaults(report, fixture, { addresses: 'static addresses', gateway, faults });
  await gateway.stop();
};

const checkDnsAddresses = async (report: Report, fixture: RoutingFixture): Promise<void> => {
  const obstacle = findDnsObstacle();
  if (obstacle !== undefined) return report.skip(`addresses of DNS: ${obstacle}`);
  const gateway = await startDnsGateway(fixture, NETWORK);
  const { changeAddresses } = gateway;
  const addresses = 'DNS: two addresses, one, none';
  await checkFaults(report, fixture, { addresses, gateway, faults: FAULTS, changeAddresses });
  await gateway.stop();
};

const run = async (report: Report): Promise<void> => {
  const fixture = await startRoutingFixture(NETWORK);
  try {
    if (isSelected('abandoned requests')) await checkAbandonedRequests(report, fixture);
    await checkStaticAddresses(report, fixture);
    if (isSelected('DNS')) await checkDnsAddresses(report, fixture);
  } finally {
    await fixture.stop();
  }
};

await runSuite({
  name: 'routing',
  timeoutSeconds: 1_500,
  run,
});
