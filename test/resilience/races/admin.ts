import { setTimeout as delay } from 'node:timers/promises';
import { bearer, CUSTOMER, type Device } from '@platform/shared/testing/auth-client';
import { uniqueFingerprint } from '@platform/shared/testing/builders';
import { formatStatus } from '@platform/shared/testing/http-client';
import { checkAudit, checkOneWinner, type Race, type RaceFixture, range, withStatus } from './fixture.ts';

const BLOCKS = 2;
const SIGN_INS = 4;
const MAX_BLOCK_DELAY_MILLISECONDS = 40;

/** Two blocks of a user who signs in on several devices. */
export const createBlockRace = (fixture: RaceFixture, admin: Device): Race => ({
  run: async (check, round) => {
    const auth = fixture.auth(CUSTOMER);
    const member = await fixture.signUp();
    const { userId, email, password } = member;
    const before = await fixture.signIn(member);
    const change = (action: 'block' | 'unblock') =>
      fixture.send({ method: 'PATCH', path: `/api/v1/users/${userId}/${action}`, headers: bearer(admin) });
    // A sign-in takes its time to hash: the delay decides which is first.
    const block = () => delay(round % MAX_BLOCK_DELAY_MILLISECONDS).then(() => change('block'));
    const signIn = () => auth.signIn({ email, password }, uniqueFingerprint());
    const [blocks, signIns] = await Promise.all([
      Promise.all(range(BLOCKS).map(block)),
      Promise.all(range(SIGN_INS).map(signIn)),
    ]);
    checkOneWinner(check, blocks, 200, /^USER_ALREADY_BLOCKED$/);
    await checkAudit(fixture, check, 'USER_BLOCKED', userId);
    for (const result of signIns.map(formatStatus))
      check(/^(200|401 USER_BLOCKED)$/.test(result), 'a sign-in is before or after the block', result);
    for (const device of [before, ...withStatus(signIns, 200).map(auth.toDevice)])
      for (const response of [await auth.me(device), await auth.refresh(device)])
        check(response.code === 'USER_BLOCKED', 'no token of a blocked user works', formatStatus(response));
    const late = await signIn();
    check(late.code === 'USER_BLOCKED', 'later sign-ins fail', formatStatus(late));
    const unblocked = await change('unblock');
    const me = await auth.me(before);
    check(unblocked.status === 200 && me.status === 200, 'tokens work after an unblock', formatStatus(me));
    return [...blocks, ...signIns];
  },
});
