import { setTimeout as delay } from 'node:timers/promises';
import { CUSTOMER, type Device } from '@platform/shared/testing/auth-client';
import { uniqueFingerprint } from '@platform/shared/testing/builders';
import type { Answer } from '../load/http-client.ts';
import { meCall, refreshCall, signInCall, toDevice } from '../load/user-actions.ts';
import { bearer, countAudit, labelOf, range, type Scene, withStatus } from './fixture.ts';
import { createJudge, type Judge, type Race } from './race.ts';

const BLOCKS = 2;
const SIGN_INS = 4;
const LATEST_BLOCK_MILLISECONDS = 40;

const changeBlock = (scene: Scene, token: string, userId: string, change: 'block' | 'unblock') =>
  scene.ask({ method: 'PATCH', path: `/api/v1/users/${userId}/${change}`, headers: bearer(token) });

const expectLockedOut = async (scene: Scene, { expect }: Judge, devices: Device[]) => {
  for (const device of devices) {
    const answers = [
      await scene.ask(meCall(CUSTOMER, device)),
      await scene.ask(refreshCall(CUSTOMER, device)),
    ];
    for (const answer of answers)
      expect(answer.code === 'USER_BLOCKED', 'no token of a blocked user works', labelOf(answer));
  }
};

/** A block, twice at once, while the user signs in on several devices. */
export const createBlockRace = async (scene: Scene, adminToken: string): Promise<Race> => ({
  name: 'block against sign-in',
  atOnce: BLOCKS + SIGN_INS,
  run: async (round) => {
    const judge = createJudge();
    const { violations, expect } = judge;
    const account = await scene.signUp();
    const before = await scene.signIn(account);
    const fingerprints = range(SIGN_INS).map(uniqueFingerprint);
    const block = async () => {
      // A sign-in takes its time to hash: sometimes it comes first, sometimes the block does.
      await delay(round % LATEST_BLOCK_MILLISECONDS);
      return await changeBlock(scene, adminToken, account.userId, 'block');
    };
    const [blocks, signIns] = await Promise.all([
      Promise.all(range(BLOCKS).map(block)),
      Promise.all(fingerprints.map((fingerprint) => scene.ask(signInCall(account, fingerprint)))),
    ]);
    const verdicts = blocks.map(labelOf).sort().join(', ');
    expect(verdicts === '200, 400 USER_ALREADY_BLOCKED', 'one block blocks', verdicts);
    const audited = await countAudit(scene, 'USER_BLOCKED', account.userId);
    expect(audited === 1, 'the audit trail has it once', audited);
    for (const answer of signIns)
      expect(
        /^(200|401 USER_BLOCKED)$/.test(labelOf(answer)),
        'a sign-in is before or after',
        labelOf(answer),
      );
    const devices = signIns.flatMap((answer, index) =>
      answer.status === 200 ? [toDevice(account, fingerprints[index] ?? '', answer)] : [],
    );
    await expectLockedOut(scene, judge, [before, ...devices]);
    const late = await scene.ask(signInCall(account, uniqueFingerprint()));
    expect(late.code === 'USER_BLOCKED', 'nobody signs in afterwards', labelOf(late));
    const unblocked = await changeBlock(scene, adminToken, account.userId, 'unblock');
    const me = await scene.ask(meCall(CUSTOMER, before));
    expect(
      unblocked.status === 200 && me.status === 200,
      'an unblock lets the tokens work again',
      labelOf(me),
    );
    return { ends: [...blocks, ...signIns].map(labelOf), violations };
  },
});

const VERIFIES = 6;
type Team = { status: string; verifiedAt: string | null };
const teamOf = ({ body }: Answer): Team => body as Team;

/** One team in onboarding, verified by several administrators in the same instant. */
export const createVerifyRace = async (scene: Scene, adminToken: string): Promise<Race> => ({
  name: 'verification of one team',
  atOnce: VERIFIES,
  run: async (round) => {
    const { violations, expect } = createJudge();
    const [row] = await scene.records.query<{ id: string }>(
      "insert into teams (name, slug, status) values ('North Studio', $1, 'ONBOARDING') returning id",
      [`north-studio-${round}-${uniqueFingerprint()}`],
    );
    const path = `/api/v1/administrator/teams/${row?.id}`;
    const headers = bearer(adminToken);
    const answers = await Promise.all(
      range(VERIFIES).map(() => scene.ask({ method: 'POST', path: `${path}/verify`, headers })),
    );
    const [winner, ...others] = withStatus(answers, 201);
    expect(winner !== undefined && others.length === 0, 'one verifies', answers.map(labelOf).join(', '));
    for (const answer of answers)
      if (answer.status !== 201)
        expect(answer.code === 'TEAM_NOT_ONBOARDING', 'the others come too late', labelOf(answer));
    const team = teamOf(await scene.ask({ method: 'GET', path, headers }));
    expect(team.status === 'ACTIVE', 'the team is active', team.status);
    const isKept = winner !== undefined && team.verifiedAt === teamOf(winner).verifiedAt;
    expect(isKept, 'the first time of verification stays', team.verifiedAt);
    const audited = await countAudit(scene, 'TEAM_VERIFIED', row?.id ?? '');
    expect(audited === 1, 'the audit trail has it once', audited);
    return { ends: answers.map(labelOf), violations };
  },
});
