import { setTimeout as delay } from 'node:timers/promises';
import { CUSTOMER } from '@platform/shared/testing/auth-client';
import { uniqueFingerprint } from '@platform/shared/testing/builders';
import { countDeadlocks } from '@platform/shared/testing/query-database';
import { type Answer, type Call, createHttpClient } from '../load/http-client.ts';
import { afterRefresh, meCall, refreshCall, signInCall, toDevice } from '../load/user-actions.ts';
import { type Account, countSessions, labelOf, range, type Scene, withStatus } from './fixture.ts';
import { createJudge, type Race } from './race.ts';

const REFRESHES = 8;

/** One refresh token, exchanged by several tabs in the same instant. */
export const createRefreshRace = async (scene: Scene): Promise<Race> => {
  const account = await scene.signUp();
  let device = await scene.signIn(account);
  return {
    name: 'refresh with one token',
    atOnce: REFRESHES,
    run: async () => {
      const { violations, expect } = createJudge();
      const answers = await Promise.all(range(REFRESHES).map(() => scene.ask(refreshCall(CUSTOMER, device))));
      const [winner] = withStatus(answers, 200);
      expect(withStatus(answers, 200).length === 1, 'one refresh succeeds', answers.map(labelOf).join(', '));
      for (const answer of answers)
        if (answer.status !== 200) {
          expect(answer.code === 'REFRESH_TOKEN_SUPERSEDED', 'the others are superseded', labelOf(answer));
          expect(answer.headers['set-cookie'] === undefined, 'the others touch no cookie');
        }
      if (winner) device = afterRefresh(CUSTOMER, device, winner);
      const me = await scene.ask(meCall(CUSTOMER, device));
      expect(me.status === 200, "the winner's access token works", labelOf(me));
      const counts = await countSessions(scene, account.userId);
      expect(counts === '1 sessions, 1 token records', 'there is one session with one token record', counts);
      return { ends: answers.map(labelOf), violations };
    },
  };
};

/** As many as are free of the throttle, which counts a sign-in before its password is judged. */
const SIGN_INS = 5;

/** The same device, signing in several times in the same instant: one that is new, or that has a session. */
export const createSignInRace = async (scene: Scene): Promise<Race> => ({
  name: 'sign-in of one device',
  atOnce: SIGN_INS,
  run: async (round) => {
    const { violations, expect } = createJudge();
    const account = await scene.signUp();
    const fingerprint = uniqueFingerprint();
    const before = round % 2 ? await scene.signIn(account, fingerprint) : undefined;
    const answers = await Promise.all(range(SIGN_INS).map(() => scene.ask(signInCall(account, fingerprint))));
    expect(withStatus(answers, 200).length === SIGN_INS, 'all sign in', answers.map(labelOf).join(', '));
    const devices = withStatus(answers, 200).map((answer) => toDevice(account, fingerprint, answer));
    const ids = new Set([...devices, ...(before ? [before] : [])].map(({ sessionId }) => sessionId));
    expect(ids.size === 1, 'they have one session', `${ids.size}`);
    const alive = await Promise.all(devices.map((device) => scene.ask(meCall(CUSTOMER, device))));
    expect(withStatus(alive, 200).length === 1, 'one access token works', alive.map(labelOf).join(', '));
    const renewed = await Promise.all(devices.map((device) => scene.ask(refreshCall(CUSTOMER, device))));
    expect(withStatus(renewed, 200).length === 1, 'one refresh token works', renewed.map(labelOf).join(', '));
    const counts = await countSessions(scene, account.userId);
    expect(counts === '1 sessions, 1 token records', 'there is one session with one token record', counts);
    return { ends: answers.map(labelOf), violations };
  },
});

const ACCOUNTS = 6;

/**
 * Devices sign in again and sign out in the same instant. Directly at auth-service and with several accounts at once:
 * only so do the two often enough reach Postgres together.
 */
export const createSignOutRace = async (scene: Scene): Promise<Race & { close: () => void }> => {
  const { databaseUrl, authUrl } = scene.stack;
  const client = createHttpClient(authUrl);
  const send = async (call: Call): Promise<Answer> => {
    const outcome = await client.send(call);
    if (outcome.kind === 'failure') throw new Error(`${call.method} ${call.path}: ${outcome.cause}`);
    return outcome;
  };
  const deadlocksBefore = await countDeadlocks(databaseUrl);
  const accounts = await Promise.all(range(ACCOUNTS).map(() => scene.signUp()));
  const fingerprint = uniqueFingerprint();

  let signInMilliseconds = 10;
  const signIn = async (account: Account): Promise<Answer> => {
    const started = performance.now();
    const answer = await send(signInCall(account, fingerprint));
    signInMilliseconds = performance.now() - started;
    return answer;
  };
  /** The sign-out begins after that part of a sign-in: it hashes first and writes last. */
  const meet = async (account: Account, part: number): Promise<string[]> => {
    const device = toDevice(account, fingerprint, await signIn(account));
    const signOut = async () => {
      await delay(part * signInMilliseconds);
      return await send({ ...meCall(CUSTOMER, device), path: `${CUSTOMER.path}/sign-out` });
    };
    return (await Promise.all([signIn(account), signOut()])).map(labelOf);
  };

  return {
    name: 'sign-in against sign-out',
    atOnce: 2 * ACCOUNTS,
    run: async (round) => {
      const { violations, expect } = createJudge();
      const ends = await Promise.all(
        accounts.map((account, index) => meet(account, 0.4 + ((round + index) % 12) / 20)),
      );
      for (const labels of ends)
        expect(/^200,(204|401 TOKEN_INVALID)$/.test(labels.join()), 'both end as they should', labels.join());
      const deadlocks = (await countDeadlocks(databaseUrl)) - deadlocksBefore;
      expect(deadlocks === 0, 'there is no deadlock', deadlocks);
      return { ends: ends.flat(), violations };
    },
    close: client.close,
  };
};
