import { randomUUID } from 'node:crypto';
import type { ServiceCaller } from '@platform/shared/platform/services/service-shares';
import { expect } from 'chai';
import type { EventPage, StoredEvent } from './event.ts';
import { createEventService } from './events-service.ts';

const AFTER = randomUUID();
const RECORDED_AT = new Date('2026-01-02T03:04:05Z');
const event: StoredEvent = {
  eventId: randomUUID(),
  type: 'user.blocked',
  subject: randomUUID(),
  data: {},
  causedBy: 'platform',
  occurredAt: new Date(0).toISOString(),
};

describe('event feed', () => {
  const start = (events: StoredEvent[]) => {
    const stopping = new AbortController();
    const reader = new AbortController();
    let readMetric: () => unknown = () => undefined;
    const service = createEventService({
      events: {
        findPage: async ({ limit }) => ({
          events,
          next: AFTER,
          readUntil: events.length === limit ? RECORDED_AT : undefined,
          hasUnnumbered: false,
        }),
      },
      numberEvents: async () => 0,
      metrics: {
        labeledGauge: (_name, _help, _label, read) => {
          readMetric = read;
        },
      },
      stopping: stopping.signal,
    });
    const caller: ServiceCaller = {
      service: 'projects',
      beginWaiting: async () => undefined,
      inTurn: (work) => work(),
    };
    const reading = { caller, after: AFTER, types: undefined, waitSeconds: 25, signal: reader.signal };
    const read = (limit: number): Promise<EventPage> => service.read({ ...reading, limit });
    return { read, stopping, reader, readMetric: () => readMetric() };
  };

  for (const cause of ['stopping', 'reader'] as const)
    it(`stops waiting when the ${cause === 'reader' ? 'reader disconnects' : 'process stops'}`, async () => {
      const { read, ...controllers } = start([]);
      const waiting = read(100);
      controllers[cause].abort();
      expect((await waiting).events).to.deep.equal([]);
    });

  it('measures up to when a service has read: the last event of a full page, or else now', async () => {
    const { read, readMetric } = start([event]);
    await read(1);
    expect(readMetric()).to.deep.equal({ projects: RECORDED_AT.getTime() / 1_000 });
    await read(2);
    expect(readMetric())
      .to.have.property('projects')
      .that.is.closeTo(Date.now() / 1_000, 60);
  });
});
