import {
  createPlatformClient,
  type Kind,
  type PlatformClient,
  type PlatformClientOptions,
} from '@platform/client';
import botCheckWorker from '@platform/client/bot-check-worker?worker&url';
import { createContext, useContext } from 'react';
import { noteResponse } from '../page/failed-request.ts';
import { pageState } from '../page/page-state.ts';
import { trustWorker } from '../page/trusted-types.ts';
import { getChosenLanguage } from '../words/language.ts';
import { forgetWhenPersonChanges } from './forget-person.ts';

/** The calls that every kind has. A console needs more, and uses its own client of kind administrator. */
export type AnyClient = PlatformClient<Kind>;

export type Platform = {
  kind: Kind;
  client: AnyClient;
  /** Providers return to this path and their name; the platform accepts it on the page's own origin. */
  callbackPath: string;
};

/** Sends the chosen language. The client's own option is fixed when it is created, and the person may choose later. */
const fetchInLanguage = async (request: Request, init: { signal?: AbortSignal }): Promise<Response> => {
  const language = getChosenLanguage();
  if (language) request.headers.set('Accept-Language', language);
  noteResponse();
  const response = await fetch(request, init);
  noteResponse(response);
  return response;
};

/** True while the browser solves the platform's challenge for bots, which takes seconds on a phone. */
export const useIsCheckingBot = (): boolean => pageState.use(({ isCheckingBot }) => isCheckingBot);

const createBotCheckWorker = (): Worker => {
  const worker = new Worker(trustWorker(botCheckWorker), { type: 'module' });
  pageState.set({ isCheckingBot: true });
  // The client ends its worker whatever comes: a solution, an error, or somebody who leaves the page.
  const terminate = worker.terminate.bind(worker);
  worker.terminate = () => {
    pageState.set({ isCheckingBot: false });
    terminate();
  };
  return worker;
};

/** Creates the client of a page, which reaches the platform at the page's own origin. */
export const createPageClient = <K extends Kind>(
  kind: K,
  options: Pick<PlatformClientOptions<K>, 'onProofRequired' | 'endWithBrowser'> = {},
): PlatformClient<K> => {
  const platform = { gatewayUrl: '', kind, fetch: fetchInLanguage, createBotCheckWorker };
  const client = createPlatformClient({ ...platform, ...options });
  forgetWhenPersonChanges(kind, client);
  return client;
};

const Context = createContext<Platform | undefined>(undefined);
export const PlatformProvider = Context.Provider;

export const usePlatform = (): Platform => {
  const platform = useContext(Context);
  if (!platform) throw new Error('There is no PlatformProvider');
  return platform;
};
