// Mailed codes as second step of a sign-in with NEW_DEVICE_CODE, which needs a platform of its own.
import { CUSTOMER } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueFingerprint } from '@platform/shared/testing/builders';
import { type RunningStack, startStack } from '@platform/shared/testing/stack';
import { expectNoFailures, type StackWatch, watchStack } from '@platform/shared/testing/watch-processes';
import { expect } from 'chai';
import { createFixture, type RaceFixture } from './races/fixture.ts';
import {
  createFewWrongCodesRace,
  createManyWrongCodesRace,
  createSameCodeRace,
  prepareSecondStep,
} from './races/mailed-codes.ts';
import { RACE_MILLISECONDS, runRace } from './races/run-race.ts';

const STOLEN_PASSWORDS = 10_000;
const CONCURRENCY = 20;

/** Customers with verified addresses and the hash of one account. */
const INSERT_OWNERS = `
  with u as (
    insert into users (email, password_hash, is_email_verified)
    select 'stolen-' || number || '@example.com', (select password_hash from users where id = $1), true
    from generate_series(1, $2::int) number returning id, created_at
  ), r as (
    insert into user_roles (user_id, role, user_created_at) select id, 'CUSTOMER', created_at from u
  )
  insert into customer_profiles (user_id) select id from u`;
const OWNERS = `(select id from users where email like 'stolen-%')`;

describe('NEW_DEVICE_CODE', () => {
  let running: RunningStack;
  let watching: StackWatch;
  let fixture: RaceFixture;
  before('start a stack', async () => {
    running = await startStack({ RATE_LIMIT_SCALE: '10000', LOG_LEVEL: 'warn', NEW_DEVICE_CODE: 'on' });
    watching = watchStack(running);
    fixture = createFixture(running.stack);
  });
  after('stop it', async () => {
    await fixture?.close();
    await running?.stop();
  });

  for (const [name, create] of [
    ['requests with one code', createSameCodeRace],
    ['the right code among four wrong ones', createFewWrongCodesRace],
    ['ten wrong codes before the right one', createManyWrongCodesRace],
  ] as const)
    it(`holds the invariants of the second step: ${name}`, async () => {
      await runRace(create(prepareSecondStep)(fixture));
    }).timeout(RACE_MILLISECONDS);

  it(`lets none of ${STOLEN_PASSWORDS} stolen passwords sign in from a new device`, async () => {
    const thief = await fixture.signUpVerified(CUSTOMER);
    await fixture.records.query(INSERT_OWNERS, [thief.userId, STOLEN_PASSWORDS]);
    const client = fixture.client(CUSTOMER);
    const results = new Map<string, number>();
    const count = (result: string) => results.set(result, (results.get(result) ?? 0) + 1);
    let next = 0;
    const steal = async () => {
      for (next += 1; next <= STOLEN_PASSWORDS; next += 1) {
        const fingerprint = uniqueFingerprint();
        const body = { email: `stolen-${next}@example.com`, password: PASSWORD };
        const first = await client.signIn({ fingerprint, body });
        count(`${first.status} ${first.code} ${first.body.factors}`);
        // No code was mailed, so that no guess can be right.
        const guess = { challenge: first.body.challenge, emailCode: '000000' };
        const second = await client.signInSecondFactor({ fingerprint, body: guess });
        count(`${second.status} ${second.code}`);
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, steal));
    expect(Object.fromEntries(results)).to.deep.equal({
      '401 SECOND_FACTOR_REQUIRED email-code': STOLEN_PASSWORDS,
      '401 SECOND_FACTOR_INVALID': STOLEN_PASSWORDS,
    });
    for (const text of [
      `select id from sessions where user_id in ${OWNERS}`,
      `select id from token_records where user_id in ${OWNERS}`,
      `select id from audit_records where action = 'SIGNED_IN' and actor_id in ${OWNERS}`,
    ])
      expect(await fixture.records.query(text), text).to.deep.equal([]);
  }).timeout(1_800_000);

  it('leaves every process running, with its metrics', async () => expectNoFailures(await watching.stop()));
});
