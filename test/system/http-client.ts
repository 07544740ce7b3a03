import { createCookieJar } from '@platform/client/cookie-jar';
import { createMemoryStorage } from '@platform/client/device';
import type { Kind } from '@platform/client/kinds';
import {
  createPlatformClient,
  type PlatformClient,
  type PlatformClientOptions,
} from '@platform/client/platform-client';
import { type ErrorCode, isPlatformError, type PlatformError } from '@platform/client/platform-error';
import { expectValidResponse } from '@platform/shared/testing/responses';
import { expect } from 'chai';

/** A request that left the browser, and the status of its answer. */
export type Traffic = { method: string; path: string; status: number };

/** The storage and the cookies of one browser, whose tabs are typed clients; every answer is checked as `send` does. */
export const createBrowser = <K extends Kind>(gatewayUrl: string, kind: K) => {
  const [storage, cookies] = [createMemoryStorage(), createCookieJar()];
  const traffic: Traffic[] = [];
  let authorization: string | undefined;
  const tabs: PlatformClient<K>[] = [];
  const watchedFetch = async (request: Request): Promise<Response> => {
    authorization = request.headers.get('Authorization') ?? authorization;
    const answer = await fetch(request);
    traffic.push({ method: request.method, path: new URL(request.url).pathname, status: answer.status });
    await expectValidResponse(answer.clone());
    return answer;
  };
  return {
    storage,
    cookies,
    watchedFetch,
    openTab: (options: Partial<PlatformClientOptions<K>> = {}): PlatformClient<K> => {
      const tab = createPlatformClient({
        gatewayUrl,
        kind,
        storage,
        cookies,
        fetch: watchedFetch,
        ...options,
      });
      tabs.push(tab);
      return tab;
    },
    /** The statuses of the refreshes so far, in the order of their answers. */
    refreshes: (): number[] =>
      traffic.filter(({ path }) => path.endsWith('/refresh/token')).map(({ status }) => status),
    traffic,
    /** What the latest authorised request was sent with. */
    authorization: () => authorization ?? '',
    close: () => {
      for (const tab of tabs) tab.close();
    },
  };
};

/** The error that a call must end with. */
export const expectFailure = async (call: Promise<unknown>, code: ErrorCode): Promise<PlatformError> => {
  const error: unknown = await call.then(
    (answer) => answer,
    (reason: unknown) => reason,
  );
  if (!isPlatformError(error)) throw new Error(`${code} was expected, not ${JSON.stringify(error)}`);
  expect(error.code, error.message).to.equal(code);
  return error;
};
