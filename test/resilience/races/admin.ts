import { setTimeout as delay } from 'node:timers/promises';
import { bearer, CUSTOMER, type Device } from '@platform/shared/testing/auth-client';
import { uniqueFingerprint } from '@platform/shared/testing/builders';
import { formatStatus } from '@platform/shared/testing/http-client';
import {
  type Checker,
  countAudit,
  createChecker,
  type Race,
  type RaceFixture,
  range,
  withStatus,
} from './fixture.ts';

const BLOCKS = 2;
const SIGN_INS = 4;
const MAX_BLOCK_DELAY_MILLISECONDS = 40;

const checkLockedOut = async ({ auth }: RaceFixture, { check }: Checker, devices: Device[]) => {
  const { me, refresh } = auth(CUSTOMER);
  for (const device of devices)
    for (const response of [await me(device), await refresh(device)])
      check(response.code === 'USER_BLOCKED', 'no token of a blocked user works', formatStatus(response));
};

/** Two blocks of a user who signs in on several devices. */
export const createBlockRace = (fixture: RaceFixture, admin: Device): Race => ({
  name: 'block against sign-in',
  concurrency: BLOCKS + SIGN_INS,
  run: async (round) => {
    const checker = createChecker();
    const { violations, check } = checker;
    const auth = fixture.auth(CUSTOMER);
    const member = await fixture.signUp();
    const { userId, email, password } = member;
    const before = await fixture.signIn(member);
    const change = (action: 'block' | 'unblock') =>
      fixture.send({ method: 'PATCH', path: `/api/v1/users/${userId}/${action}`, headers: bearer(admin) });
    const block = async () => {
      // A sign-in takes its time to hash: the delay decides which is first.
      await delay(round % MAX_BLOCK_DELAY_MILLISECONDS);
      return await change('block');
    };
    const signIn = () => auth.signIn({ email, password }, uniqueFingerprint());
    const [blocks, signIns] = await Promise.all([
      Promise.all(range(BLOCKS).map(block)),
      Promise.all(range(SIGN_INS).map(signIn)),
    ]);
    const statuses = blocks.map(formatStatus).sort().join(', ');
    check(statuses === '200, 400 USER_ALREADY_BLOCKED', 'one block succeeds', statuses);
    const audited = await countAudit(fixture, 'USER_BLOCKED', userId);
    check(audited === 1, 'there is one audit record', audited);
    for (const result of signIns.map(formatStatus))
      check(/^(200|401 USER_BLOCKED)$/.test(result), 'a sign-in is before or after the block', result);
    await checkLockedOut(fixture, checker, [before, ...withStatus(signIns, 200).map(auth.toDevice)]);
    const late = await signIn();
    check(late.code === 'USER_BLOCKED', 'later sign-ins fail', formatStatus(late));
    const unblocked = await change('unblock');
    const me = await auth.me(before);
    check(unblocked.status === 200 && me.status === 200, 'tokens work after an unblock', formatStatus(me));
    return { results: [...blocks, ...signIns].map(formatStatus), violations };
  },
});

const VERIFICATIONS = 6;

/** Several administrators verify one team in onboarding. */
export const createVerifyRace = (fixture: RaceFixture, admin: Device): Race => ({
  name: 'verification of one team',
  concurrency: VERIFICATIONS,
  run: async () => {
    const { violations, check } = createChecker();
    const id = await fixture.records.team();
    const path = `/api/v1/administrator/teams/${id}`;
    const headers = bearer(admin);
    const verify = () => fixture.send({ method: 'POST', path: `${path}/verify`, headers });
    const responses = await Promise.all(range(VERIFICATIONS).map(verify));
    const results = responses.map(formatStatus);
    const [winner, ...others] = withStatus(responses, 201);
    check(winner !== undefined && others.length === 0, 'one verifies', results.join(', '));
    for (const response of responses)
      if (response.status !== 201)
        check(response.code === 'TEAM_NOT_ONBOARDING', 'the others are too late', formatStatus(response));
    const { body: team } = await fixture.send({ path, headers });
    check(team.status === 'ACTIVE', 'the team is active', team.status);
    const isKept = winner !== undefined && team.verifiedAt === winner.body.verifiedAt;
    check(isKept, 'the first time of verification stays', team.verifiedAt);
    const audited = await countAudit(fixture, 'TEAM_VERIFIED', id);
    check(audited === 1, 'there is one audit record', audited);
    return { results, violations };
  },
});
