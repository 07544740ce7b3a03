import { setTimeout as delay } from 'node:timers/promises';
import type { OfficeSteps } from '../load/admin-actions.ts';
import { readInbox } from './inbox.ts';

const FORMS = 80;
const NEWEST = 10;
const POLL_MILLISECONDS = 5;
const PATIENCE_MILLISECONDS = 5_000;

/** Submits many forms at once, and resolves when the first of their mails has arrived: the others are on their way just then. */
export const awaitBurst = async (office: OfficeSteps, inboxUrl: string): Promise<void> => {
  const submitted = await Promise.all(Array.from({ length: FORMS }, () => office.submitForm('lead')));
  const markers = new Set(submitted);
  const deadline = Date.now() + PATIENCE_MILLISECONDS;
  while (Date.now() < deadline) {
    const newest = await readInbox(inboxUrl, NEWEST);
    if (newest.some(({ key }) => markers.has(key))) return;
    await delay(POLL_MILLISECONDS);
  }
  throw new Error('None of the forms that were submitted was mailed');
};
