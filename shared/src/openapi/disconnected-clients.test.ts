import { HELD_REQUEST, startHeldService } from '@platform/shared/testing/held-service';
import { waitFor } from '@platform/shared/testing/poll';
import { openRawConnection } from '@platform/shared/testing/raw-http';
import { expect } from 'chai';

describe('clients that disconnect before their body is read', () => {
  let service: Awaited<ReturnType<typeof startHeldService>>;
  beforeEach('start a service', async () => {
    total = 0;
    service = await startHeldService();
  });
  afterEach('stop the service', () => service.stop());

  let total = 0;
  /** Sends requests that wait in the authentication. */
  const send = async (count: number, bytes = HELD_REQUEST) => {
    total += count;
    const connections = Array.from({ length: count }, () => openRawConnection(service.url));
    for (const { write } of connections) write(bytes);
    await waitFor('the requests have arrived', () => service.countWaiting() >= total);
    return connections;
  };
  const waitForStatus = (status: number, count: number) =>
    waitFor(`${count} responses ${status}`, async () => (await service.countRequests(status)) === count);

  it('cause a 499 in the log and the metrics, and run nothing', async () => {
    for (const { close } of await send(40)) close();
    await waitForStatus(499, 40);
    service.release();
    // A later request shows that the earlier ones have continued.
    const [last] = await send(1);
    await waitForStatus(204, 1);
    last?.close();
    expect(service.bodies).to.deep.equal([{ title: 'New' }]);
    expect(service.lines.filter(({ level }) => level === 'error')).to.deep.equal([]);
    const statuses = service.lines.filter(({ msg }) => msg === 'request').map(({ status }) => status);
    expect(statuses).to.deep.equal([...Array.from({ length: 40 }, () => 499), 204]);
  });

  it('cause a 499 while their body arrives', async () => {
    const [client] = await send(1, HELD_REQUEST.slice(0, -5));
    service.release();
    await new Promise(setImmediate);
    client?.reset();
    await waitForStatus(499, 1);
    expect(service.bodies).to.deep.equal([]);
    expect(service.lines.filter(({ level }) => level === 'error')).to.deep.equal([]);
  });
});
