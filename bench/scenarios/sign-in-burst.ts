import type { BenchRun } from '../bench-run.ts';
import { applyLoad, applyPacedLoad, faultOf, type LoadResult } from '../load/load.ts';
import type { Request } from '../load/requests.ts';
import { PLAN } from '../plan.ts';
import { showNumber } from '../report/table.ts';
import { meRequest } from '../seed-sessions.ts';
import { median } from '../statistics.ts';
import { signInRequest } from './sign-in.ts';

const ME_PER_SECOND = 100;
/** More than can be hashed at once, fewer than the queue takes: what is measured is hashing, not refusing. */
const STORM_CONNECTIONS = 16;

const callMe = async (url: string, me: Request, duration: number): Promise<LoadResult> => {
  const stream = { name: 'me', perSecond: ME_PER_SECOND, requests: [me] };
  const { me: result } = await applyPacedLoad({ url, connections: 8, duration, streams: [stream] });
  if (!result) throw new Error('The load has no result');
  const fault = faultOf(result);
  if (fault !== undefined) throw new Error(`me: ${fault}`);
  return result;
};

const callMeInStorm = async (url: string, me: Request, signIns: Request[]): Promise<LoadResult> => {
  const duration = PLAN.stormSeconds;
  const storm = applyLoad({ url, connections: STORM_CONNECTIONS, duration, requests: signIns });
  const [result, { perSecond }] = await Promise.all([callMe(url, me, duration), storm]);
  console.log(`  the storm: ${showNumber(perSecond)} sign-ins a second`);
  return result;
};

/** Does `me` keep answering while everybody signs in? */
export const measureStorm = async (run: BenchRun): Promise<void> => {
  const { gatewayUrl, takeSessions, platform, emails } = await run.small();
  const [session] = takeSessions(1);
  if (!session) throw new Error('There is no session');
  const me = meRequest(session, platform.secrets);
  const signIns = emails.toReversed().map(signInRequest);
  const rounds: { idle: LoadResult; busy: LoadResult }[] = [];
  await callMe(gatewayUrl, me, PLAN.warmSeconds);
  for (let round = 0; round < PLAN.stormRounds; round += 1)
    rounds.push({
      idle: await callMe(gatewayUrl, me, PLAN.stormIdleSeconds),
      busy: await callMeInStorm(gatewayUrl, me, signIns),
    });
  const { report } = run;
  report.table(
    `me at ${ME_PER_SECOND} requests a second, during sign-ins from ${STORM_CONNECTIONS} clients without a pause`,
    ['', 'p50 ms', 'p95 ms', 'p99 ms', 'slowest ms'],
    rounds.flatMap(({ idle, busy }) => [
      ['idle', idle.p50, idle.p95, idle.p99, idle.max],
      ['during sign-ins', busy.p50, busy.p95, busy.p99, busy.max],
    ]),
  );
  const idle = median(rounds.map((round) => round.idle.p99));
  const busy = median(rounds.map((round) => round.busy.p99));
  report.line({
    work: 'p99 of me during a storm of sign-ins against idle',
    of: `${showNumber(busy)} ms against ${showNumber(idle)} ms`,
    unit: '×',
    target: { atMost: 3 },
    figure: busy / idle,
  });
};
