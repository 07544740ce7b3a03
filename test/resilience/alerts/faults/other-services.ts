import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { createServiceClient } from '@platform/shared/testing/service-client';
import { expect } from 'chai';
import type { Fault } from '../fault.ts';

/** Prometheus scrapes each process within this time. */
const SCRAPED_MILLISECONDS = 25_000;
const FAILED_MAILS = 6;

/** A reader that reads once, and never again. */
const stopReading: Fault['inject'] = async ({ find }) => {
  const { status, text } = await createServiceClient(find('admin-service')[0]?.url ?? '').listEvents({});
  expect(status, text).to.equal(200);
  return async () => undefined;
};

/** A service that writes to users whose mailboxes no longer exist. */
const mailToNobody: Fault['inject'] = async ({ find, records, smtp }) => {
  const client = createServiceClient(find('admin-service')[0]?.url ?? '');
  const send = async (): Promise<string> => {
    const user = await records.user(['CUSTOMER'], { isEmailVerified: true });
    smtp.refuse(user.email, { at: 'recipient', code: 550 });
    const body = { userId: user.id, subject: 'Bid', text: 'There is a bid.' };
    const { status, text } = await client.putMail({ id: randomUUID(), body });
    expect(status, text).to.equal(202);
    return user.email;
  };
  // Prometheus has to know the series before it rises.
  const refused = [await send()];
  await delay(SCRAPED_MILLISECONDS);
  for (let count = 0; count < FAILED_MAILS; count += 1) refused.push(await send());
  return async () => {
    for (const email of refused) smtp.acceptAgain(email);
  };
};

export const OTHER_SERVICE_FAULTS: readonly Fault[] = [
  {
    cause: 'a service that no longer reads events',
    alerts: ['EventsReaderLags'],
    minutes: 17,
    sharedPlatform: 'services',
    inject: stopReading,
  },
  {
    cause: 'a service that mails users without a mailbox',
    alerts: ['ServiceMailsFailing', 'MailFailing'],
    minutes: 3,
    sharedPlatform: 'services',
    inject: mailToNobody,
  },
];
