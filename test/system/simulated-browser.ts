import {
  createCookieJar,
  createMemoryStorage,
  createPlatformClient,
  type ErrorCode,
  isPlatformError,
  type Kind,
  type PlatformClient,
  type PlatformClientOptions,
  type PlatformError,
} from '@platform/client';
import { expectValidResponse } from '@platform/shared/testing/responses';
import { expect } from 'chai';

/** A request of the browser, and the status of its response. */
type Traffic = { method: string; path: string; status: number };

/**
 * The storage and cookies of one browser, whose tabs are typed clients. Every response is validated as `send`
 * does.
 */
export const createBrowser = <K extends Kind>(gatewayUrl: string, kind: K) => {
  const [storage, cookies] = [createMemoryStorage(), createCookieJar()];
  const traffic: Traffic[] = [];
  let authorization: string | undefined;
  const tabs: PlatformClient<K>[] = [];
  const recordingFetch = async (request: Request): Promise<Response> => {
    authorization = request.headers.get('Authorization') ?? authorization;
    const response = await fetch(request);
    traffic.push({ method: request.method, path: new URL(request.url).pathname, status: response.status });
    await expectValidResponse(response.clone());
    return response;
  };
  return {
    storage,
    cookies,
    recordingFetch,
    openTab: (options: Partial<PlatformClientOptions<K>> = {}): PlatformClient<K> => {
      const tab = createPlatformClient({
        gatewayUrl,
        kind,
        storage,
        cookies,
        fetch: recordingFetch,
        ...options,
      });
      tabs.push(tab);
      return tab;
    },
    /** The statuses of the refreshes so far, in the order of their responses. */
    refreshes: (): number[] =>
      traffic.filter(({ path }) => path.endsWith('/refresh/token')).map(({ status }) => status),
    traffic,
    /** The Authorization header of the latest request that had one. */
    authorization: () => authorization ?? '',
    close: () => {
      for (const tab of tabs) tab.close();
    },
  };
};

/** Fails unless the call rejects with this error. */
export const expectFailure = async (call: Promise<unknown>, code: ErrorCode): Promise<PlatformError> => {
  const error: unknown = await call.then(
    (response) => response,
    (reason: unknown) => reason,
  );
  if (!isPlatformError(error)) throw new Error(`${code} was expected, not ${JSON.stringify(error)}`);
  expect(error.code, error.message).to.equal(code);
  return error;
};
