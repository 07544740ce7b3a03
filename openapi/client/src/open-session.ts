import { abortable } from './abortable.ts';
import { isBrowserSession } from './browser-session.ts';
import type { CallSignal } from './operation-types.ts';
import { isPlatformError } from './platform-error.ts';
import type { RequestFunction } from './request-function.ts';
import type { SessionManager } from './session-manager.ts';
import type { SessionState } from './session-state.ts';

type Dependencies = {
  auth: string;
  state: SessionState;
  manager: SessionManager;
  send: RequestFunction;
  endWithBrowser: boolean | undefined;
};

/** Every way to sign in. */
export const createOpenSession =
  ({ auth, state, manager, send, endWithBrowser }: Dependencies) =>
  (
    path: string,
    body: { staySignedIn?: boolean | undefined; challenge?: string; [field: string]: unknown },
    call: CallSignal = {},
    stays = body.staySignedIn,
  ): Promise<never> =>
    abortable(call, async (signal) => {
      if (state.ready !== undefined) await state.ready;
      const { challenge } = body;
      // A second step has the choice of the first one, also after a reload.
      const isStaying = challenge ? state.record().stayingChallenge === challenge : stays === true;
      const endsWithBrowser = () => endWithBrowser && !isStaying && isBrowserSession(true);
      const signIn = () => send('post', `${auth}/${path}`, { body, signal });
      const signedIn = await manager.signIn(signIn, signal, endsWithBrowser).catch((error: unknown) => {
        if (isStaying && isPlatformError(error, 'SECOND_FACTOR_REQUIRED'))
          state.change({ stayingChallenge: error.challenge });
        throw error;
      });
      await state.saved().catch(() => undefined);
      return signedIn as never;
    });
