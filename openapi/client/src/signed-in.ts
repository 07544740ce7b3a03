import { type AccessToken, renewalTime } from './access-token.ts';
import type { Device } from './device.ts';
import { isPlatformError } from './platform-error.ts';
import { noTabChannel, openTabChannel } from './tab-channel.ts';

/** Why nobody is signed in any more: an own or another tab's sign-out or sign-in, or the platform's refusal. */
export type SignOutReason =
  | 'SIGNED_OUT'
  | 'SIGNED_IN_AS_ANOTHER'
  | 'TOKEN_INVALID'
  | 'REFRESH_TOKEN_REUSED'
  | 'SESSION_NOT_FOUND'
  | 'USER_BLOCKED'
  | 'VALIDATION_FAILED';

/** The part of the browser's `LockManager` that is needed. */
export type Locks = { request: (name: string, work: () => Promise<void>) => Promise<unknown> };

/** For one page, where nobody shares or the browser has no Web Locks: the platform sorts out which tab was first. */
export const createPageLocks = (): Locks => {
  let last: Promise<unknown> = Promise.resolve();
  return {
    request: (_name, work) => {
      last = last.then(work, work);
      return last;
    },
  };
};

type Session = { id: string; fingerprint: string };
type Message = { renewed: AccessToken } | { ended: string; reason: SignOutReason };

type Dependencies = {
  device: Device;
  /** Whether other tabs read the same storage. */
  isShared: boolean;
  locks: Locks;
  /** Exchanges the refresh token, which only the cookie has, for a new access token. */
  exchange: () => Promise<string>;
  onSignedOut: (reason: SignOutReason) => void;
};

/** A tab that has just renewed the token has sent it already: it comes at once or, if that tab is gone, never. */
const ARRIVAL_MILLISECONDS = 300;
/** Another tab holds the answer with the next cookie: when it has come, the same request succeeds. */
const SUPERSEDED_PAUSES_MILLISECONDS = [100, 400, 1_600];

/** What a refresh is refused with once and for all. */
const FINAL = [
  'TOKEN_INVALID',
  'REFRESH_TOKEN_REUSED',
  'SESSION_NOT_FOUND',
  'USER_BLOCKED',
  'VALIDATION_FAILED',
] as const;

/** Who is signed in here, with the access token that all tabs share. */
export const createSignedIn = ({ device, isShared, locks, exchange, onSignedOut }: Dependencies) => {
  let current: AccessToken | undefined;
  let renewing: Promise<void> | undefined;
  let failure: unknown;
  const waiting = new Set<() => void>();

  const take = (token: AccessToken): void => {
    if (current && current.generation >= token.generation) return;
    const isAnother = current !== undefined && current.sessionId !== token.sessionId;
    current = token;
    for (const arrived of waiting) arrived();
    if (isAnother) onSignedOut('SIGNED_IN_AS_ANOTHER');
  };

  const lose = (sessionId: string, reason: SignOutReason): void => {
    if ((current?.sessionId ?? device.read().sessionId ?? sessionId) !== sessionId) return;
    current = undefined;
    onSignedOut(reason);
  };

  const hear = (message: Message): void => {
    if ('ended' in message) lose(message.ended, message.reason);
    // Else it was sent before this tab signed out.
    else if (message.renewed.sessionId === device.read().sessionId) take(message.renewed);
  };

  const name = `platform.${device.read().fingerprint}`;
  const channel = isShared ? openTabChannel<Message>(name, hear) : noTabChannel;
  const alone = <Result>(work: () => Promise<Result>): Promise<Result> =>
    new Promise((resolve, reject) => {
      locks.request(name, () => work().then(resolve, reject)).catch(reject);
    });

  const keep = ({ id: sessionId, fingerprint }: Session, token: string): void => {
    const generation = Math.max(Date.now(), (device.read().generation ?? 0) + 1);
    const renewed = { token, sessionId, generation, renewAt: renewalTime(token) };
    device.save({ fingerprint, sessionId, generation });
    channel.post({ renewed });
    take(renewed);
  };

  const end = (reason: SignOutReason): void => {
    const stored = device.read().sessionId;
    const ended = current?.sessionId ?? stored;
    if (ended === undefined) return;
    if (stored === ended) device.forgetSession();
    channel.post({ ended, reason });
    lose(ended, reason);
  };

  /** Whether another tab's token has come in place of `before`, or comes in time. */
  const arrival = (before: AccessToken | undefined, milliseconds: number): Promise<boolean> =>
    new Promise((resolve) => {
      if (current !== before) return resolve(true);
      const settle = (came: boolean) => {
        waiting.delete(arrived);
        clearTimeout(timer);
        resolve(came);
      };
      const arrived = () => settle(true);
      const timer = setTimeout(() => settle(false), milliseconds);
      waiting.add(arrived);
    });

  const renewPatiently = async (
    session: Session,
    [pause, ...later] = SUPERSEDED_PAUSES_MILLISECONDS,
  ): Promise<void> => {
    const before = current;
    try {
      keep(session, await exchange());
    } catch (error) {
      if (isPlatformError(error, 'REFRESH_TOKEN_SUPERSEDED') && pause !== undefined) {
        if (!(await arrival(before, pause))) await renewPatiently(session, later);
        return;
      }
      if (isPlatformError(error, ...FINAL)) end(error.code);
      throw error;
    }
  };

  /** `before` and `known` are what this tab had when it asked; others may have had the lock since. */
  const renewAlone = async (before: AccessToken | undefined, known: number | undefined): Promise<void> => {
    if (current !== before) return;
    const { sessionId, fingerprint, generation } = device.read();
    if (sessionId === undefined) return end('SIGNED_OUT');
    if (before && before.sessionId !== sessionId) return end('SIGNED_IN_AS_ANOTHER');
    if (generation !== known && (await arrival(before, ARRIVAL_MILLISECONDS))) return;
    await renewPatiently({ id: sessionId, fingerprint });
  };

  const renew = (): Promise<void> => {
    const [before, known] = [current, current?.generation ?? device.read().generation];
    renewing ??= alone(() => renewAlone(before, known))
      .catch((error: unknown) => {
        failure = error;
        throw error;
      })
      .finally(() => {
        renewing = undefined;
      });
    return renewing;
  };

  const isSignedIn = (): boolean => current !== undefined || device.read().sessionId !== undefined;

  return {
    isSignedIn,
    current: (): AccessToken | undefined => current,
    /** What the latest refresh that failed ended with. */
    failure: (): unknown => failure,
    /**
     * One refresh, however many calls and tabs ask for one; none if `used` is not the current token any more. A call that
     * began with another `knownFailure` shares the failure that came meanwhile.
     */
    renew: async (used: AccessToken | undefined, knownFailure: unknown): Promise<void> => {
      if (current !== used) return;
      if (failure !== knownFailure) throw failure;
      if (isSignedIn()) await renew();
    },
    /** As `renew`, for a call that is about to be made: only when the token is missing or about to expire. */
    freshen: async (): Promise<void> => {
      if (isSignedIn() && (current?.renewAt ?? 0) <= Date.now()) await renew();
    },
    /** Signs in while no refresh is under way, whose cookie would replace the new one. */
    signIn: <Answer extends { token: string; session: Session }>(work: () => Promise<Answer>) =>
      alone(async () => {
        const { token, ...rest } = await work();
        current = undefined;
        keep(rest.session, token);
        return rest;
      }),
    end,
    close: () => channel.close(),
  };
};

export type SignedIn = ReturnType<typeof createSignedIn>;
