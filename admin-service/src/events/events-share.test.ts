import { randomUUID } from 'node:crypto';
import { get } from 'node:http';
import { holdLock } from '@platform/shared/testing/hold-lock';
import { waitFor } from '@platform/shared/testing/poll';
import { expectError, send } from '@platform/shared/testing/responses';
import {
  basicAuth,
  createServiceClient,
  SERVICE,
  SERVICE_ENVIRONMENT,
} from '@platform/shared/testing/service-client';
import { sendHead } from '@platform/shared/testing/unfinished-request';
import { expect } from 'chai';
import { useAdminService } from '../../testing/admin-service.ts';

const SHARE = 32;
const INSERT = "insert into events (type, subject, data) values ('user.blocked', $1, '{}')";
const MARKET = { name: 'market', secret: 'market-secret-of-the-tests-000000000000009' };

describe("a service's share of admin-service", () => {
  const service = useAdminService({
    ...SERVICE_ENVIRONMENT,
    SERVICES: `${SERVICE.name},${MARKET.name}`,
    SERVICE_MARKET_SECRET: MARKET.secret,
    SERVICE_MARKET_SCOPES: 'events:read,projects:read',
  });
  const client = () => createServiceClient(service().url);
  const sendAs = ({ name, secret }: typeof SERVICE, path: string) =>
    send(service().url, 'GET', `/internal/v1/${path}`, {
      headers: { Authorization: basicAuth(name, secret) },
    });
  const readToEnd = async () => (await client().listEvents({ query: { limit: 1000 } })).body.next;
  /** Resolves when no request of the service is in flight, apart from those that wait. */
  const settle = () =>
    waitFor('all readers wait', async () => {
      const probes = await Promise.all(
        Array.from({ length: SHARE }, () => sendAs(SERVICE, 'events?limit=0')),
      );
      return probes.every(({ status }) => status === 400);
    });

  it('has 32 requests in flight, beside which another service is not rejected', async () => {
    const id = randomUUID();
    const headers = {
      Authorization: basicAuth(SERVICE.name, SERVICE.secret),
      'Content-Type': 'application/json',
    };
    const head = { method: 'PATCH', path: `/internal/v1/projects/${id}`, headers };
    const held = Array.from({ length: SHARE }, () => sendHead(service().url, head, '{}'));
    await waitFor('the share is full', async () => (await sendAs(SERVICE, 'teams?limit=0')).status === 429);
    expectError(await sendAs({ ...SERVICE, secret: 'x' }, `projects/${id}`), 401, 'SERVICE_UNKNOWN');
    for (const path of ['projects', 'teams', 'users', 'events'])
      expectError(await sendAs(SERVICE, path), 429, 'RATE_LIMITED');
    expectError(await sendAs(MARKET, 'teams'), 403, 'SCOPE_MISSING');
    expectError(await sendAs(MARKET, 'projects?limit=0'), 400, 'VALIDATION_FAILED');
    // A busy machine may not serve all of them in time.
    for (const status of await Promise.all(held.map(({ finish }) => finish())))
      expect(status).to.be.oneOf([404, 503]);
    expect((await sendAs(SERVICE, 'teams')).status).to.equal(200);
  });

  it('has 32 readers that wait; one too many is rejected only when it would have to wait', async () => {
    const after = await readToEnd();
    const wait = () => client().listEvents({ query: { after, wait: 25 } });
    const waiting = Array.from({ length: SHARE }, wait);
    await settle();
    const rejected = await wait();
    expectError(rejected, 429, 'RATE_LIMITED');
    expect(rejected.headers['retry-after']).to.equal('1');
    expect((await client().listEvents({ query: { after } })).status).to.equal(200);
    const other = sendAs(MARKET, `events?after=${after}&wait=25`);
    await service().records.query(INSERT, [randomUUID()]);
    for (const { body } of await Promise.all([...waiting, other])) expect(body.data).to.have.lengthOf(1);
    expect((await wait()).body.data).to.have.lengthOf(1);
  });

  it('gives the place of a waiting reader back at once when its client disconnects', async () => {
    const after = await readToEnd();
    const headers = { Authorization: basicAuth(SERVICE.name, SERVICE.secret) };
    const url = `${service().url}/internal/v1/events?after=${after}&wait=25`;
    const open = () => get(url, { headers, agent: false }).on('error', () => undefined);
    const waiting = Array.from({ length: SHARE }, open);
    await settle();
    const wait = () => client().listEvents({ query: { after, wait: 25 } });
    expectError(await wait(), 429, 'RATE_LIMITED');
    const closed = Promise.all(waiting.map((each) => new Promise((resolve) => each.once('close', resolve))));
    for (const each of waiting) each.destroy();
    await closed;
    const next = Array.from({ length: SHARE }, wait);
    await settle();
    await service().records.query(INSERT, [randomUUID()]);
    for (const { status } of await Promise.all(next)) expect(status).to.equal(200);
  });

  it('reads one page of events or of a list after another', async () => {
    const lock = await holdLock(service().databaseUrl, 'lock table events in access exclusive mode');
    const pages = Array.from({ length: 8 }, () => sendAs(SERVICE, 'events'));
    const other = sendAs(MARKET, 'events');
    const backends = await lock.untilWaiting(2);
    const finished: string[] = [];
    const lists = ['projects', 'teams'].map(async (list) => {
      const response = await sendAs(SERVICE, list);
      finished.push(list);
      return response;
    });
    // A request that reads no page needs no turn, so it must not wait for the lock that the pages wait for.
    expect((await sendAs(SERVICE, `projects/${randomUUID()}`)).status).to.equal(404);
    expect(await lock.untilWaiting(2)).to.have.members(backends);
    expect(finished).to.deep.equal([]);
    await lock.release();
    for (const { status } of await Promise.all([...pages, ...lists, other])) expect(status).to.equal(200);
  });

  it('does not store any response, also errors and the document', async () => {
    for (const path of [
      'projects',
      'projects/1',
      'nothing',
      'openapi.json',
      'errors.html',
      'projects?x=1',
      '',
    ])
      expect((await sendAs(SERVICE, path)).headers['cache-control'], path).to.equal('no-store');
    expect((await sendAs({ ...SERVICE, secret: 'x' }, 'projects')).headers['cache-control']).to.equal(
      'no-store',
    );
  });
});
