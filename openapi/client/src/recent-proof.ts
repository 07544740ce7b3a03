import { abortable } from './abortable.ts';
import type { CallSignal } from './operation-types.ts';
import { isPlatformError } from './platform-error.ts';
import type { RequestFunction } from './request-function.ts';

/** Asks the user for a proof and sends it; resolves with false if the user cancels. */
export type AskForProof = () => Promise<boolean>;

/** Repeats a call after PROOF_REQUIRED, once. Calls that are rejected at the same time share one question. */
export const withRecentProof = (request: RequestFunction, ask: AskForProof | undefined): RequestFunction => {
  if (!ask) return request;
  let asking: Promise<boolean> | undefined;
  const askOnce = (): Promise<boolean> => {
    asking ??= ask().finally(() => {
      asking = undefined;
    });
    return asking;
  };
  return async (method, path, options: CallSignal = {}) => {
    try {
      return await request(method, path, options);
    } catch (error) {
      if (!isPlatformError(error, 'PROOF_REQUIRED')) throw error;
      if (!(await abortable({ signal: options.signal }, askOnce))) throw error;
      return await request(method, path, options);
    }
  };
};
