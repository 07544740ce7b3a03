// 60 s of each attack, from many client networks, while other clients sign in, or request `me`. FLOOD_SECONDS
// shortens the latter.
import { startMisbehavingProvider } from '@platform/dev/testing/misbehaving-provider';
import { runScript } from '@platform/shared/testing/process';
import { expect } from 'chai';
import { runAttack } from './floods/attack.ts';
import { createLogoutTokens, signIns } from './floods/bursts.ts';
import { runFlood } from './floods/fixture.ts';
import { guessBursts, runSignInAttack, SIGN_IN_ATTACKS } from './floods/guesses.ts';
import { hashing } from './floods/hashing.ts';
import { pipelining } from './floods/pipelining.ts';
import { resetCodes } from './floods/reset-codes.ts';
import { slowBodies } from './floods/slow-bodies.ts';
import { PAGES_DIR, slowReaders } from './floods/slow-readers.ts';

describe('sign-in of others during a flood', () => {
  const figures: Record<string, object> = {};
  after('print the figures', () => console.table(figures));

  for (const flood of [hashing, slowBodies, resetCodes])
    it(`succeeds: ${flood.name}`, async () => {
      figures[flood.name] = await runFlood(flood);
    });
});

describe('sign-ins of other users during sign-ins from many networks', () => {
  const figures: Record<string, object> = {};
  after('print the figures', () => console.table(figures));

  for (const networks of [16, 64])
    for (const attack of SIGN_IN_ATTACKS)
      it(`succeed while ${networks} networks ${attack} once a second`, async () => {
        figures[`${networks} networks ${attack}`] = await runSignInAttack(networks, attack);
      });
});

describe('requests of others during an attack', () => {
  const figures: Record<string, object> = {};
  before('build the pages', async () => {
    const { code, output } = await runScript('web/run-build.ts', [PAGES_DIR], { NODE_ENV: 'production' });
    expect(code, output).to.equal(0);
  });
  after('print the figures', () => console.table(figures));

  for (const attack of [...slowReaders, ...pipelining, signIns, ...guessBursts])
    it(`succeed: ${attack.name}`, async () => {
      figures[attack.name] = await runAttack(attack);
    });

  it('succeed: 550 logout tokens at once to a hung provider', async () => {
    const provider = await startMisbehavingProvider();
    provider.misbehave({ responses: { discovery: 'hangs' } });
    const attack = await createLogoutTokens(provider);
    figures[attack.name] = await runAttack(attack);
    await provider.stop();
  });
});
