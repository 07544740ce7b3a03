import { isPlatformError, type PlatformError } from '@platform/client';
import { pageState } from '../page/page-state.ts';

/** Finds out whether the request with this id was carried out. */
type AskWhetherDone = (requestId: string) => Promise<boolean>;

/** The answer to a write was lost, and the server said at this time that it had not been carried out. */
export class NotDoneError extends Error {
  override readonly name = 'NotDoneError';
  readonly at = new Date();
}

/**
 * A gateway or service that hangs carries out what it has received when it goes on, maybe after it was asked.
 * So "not done" counts only when it was said at each of these times after the first answer.
 */
const WAITS_MILLISECONDS = [0, 2_000, 4_000];
const RETRY_MILLISECONDS = 2_000;

const countUnanswered = (step: 1 | -1): void =>
  pageState.set({ unanswered: pageState.get().unanswered + step });

const wait = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });

/** The write may have been carried out: there was no response, or the gateway got none. */
export const isLostAnswer = (error: unknown): error is PlatformError =>
  isPlatformError(error) && error.requestId !== undefined && [0, 502, 504].includes(error.status);

/** The server can be asked also after 429 and 500, by which it has not said whether the write was carried out. */
const canAskAgain = (error: unknown): boolean =>
  isPlatformError(error) && (error.status === 0 || error.status === 429 || error.status >= 500);

/** Waits for the server as long as it takes. @throws if it refuses to say */
const askUntilAnswered = async (ask: AskWhetherDone, requestId: string): Promise<boolean> => {
  for (;;) {
    try {
      return await ask(requestId);
    } catch (error) {
      if (!canAskAgain(error)) throw error;
      const seconds = isPlatformError(error) ? error.retryAfterSeconds : undefined;
      await wait(seconds === undefined ? RETRY_MILLISECONDS : seconds * 1_000);
    }
  }
};

const findOut = async (ask: AskWhetherDone, requestId: string): Promise<boolean> => {
  for (const milliseconds of WAITS_MILLISECONDS) {
    await wait(milliseconds);
    if (await askUntilAnswered(ask, requestId)) return true;
  }
  return false;
};

const settle = async (lost: PlatformError, ask: AskWhetherDone): Promise<void> => {
  countUnanswered(1);
  try {
    // A person who may not read the audit log gets the error "not known".
    const isDone = await findOut(ask, lost.requestId ?? '').catch(() => {
      throw lost;
    });
    if (!isDone) throw new NotDoneError();
    pageState.set({ wasLate: true });
  } finally {
    countUnanswered(-1);
  }
};

type Call = (...args: never[]) => Promise<unknown>;

const settled = <Write extends Call>(write: Write, ask: AskWhetherDone): Write =>
  (async (...args) => {
    const wasOffline = !navigator.onLine;
    pageState.set({ wasLate: false });
    try {
      return await write(...args);
    } catch (error) {
      // A browser that was offline has sent nothing.
      if (wasOffline || !isLostAnswer(error)) throw error;
      await settle(error, ask);
      return undefined;
    }
  }) as Write;

/**
 * Makes a client find out the truth about each write whose answer was lost. If the write was carried out, the
 * call resolves, but without a body.
 */
export const settleLostAnswers = <Client extends Record<'POST' | 'PATCH' | 'DELETE', Call>>(
  client: Client,
  ask: AskWhetherDone,
): Client =>
  Object.assign(client, {
    POST: settled(client.POST, ask),
    PATCH: settled(client.PATCH, ask),
    DELETE: settled(client.DELETE, ask),
  });

/** True while the server is asked about a write. */
export const useIsOutcomeUnknown = (): boolean => pageState.use(({ unanswered }) => unanswered > 0);

/** Whether the latest write was found to be carried out only after its answer was lost; true once for each. */
export const takeLateAnswer = (): boolean => {
  const { wasLate } = pageState.get();
  pageState.set({ wasLate: false });
  return wasLate;
};
