import { expect } from 'chai';
import type { FactorMethod } from '../accounts/account.ts';
import type { ChangeOf } from '../guess-limits/guess-limits.ts';
import { createSecondStepRule, decideConsequences } from './second-factor.ts';

const toSecondStep = createSecondStepRule(['ADMIN']);
const state = (factors: FactorMethod[], isSecondStepOn = false, roles = ['CUSTOMER']) =>
  toSecondStep({ factors, isSecondStepOn, roles });

const NONE = state([]);
const PASSKEY = state(['passkey']);
const SWITCHED_ON = state(['passkey', 'recovery-code'], true);
const APP = state(['totp', 'recovery-code']);
const BOTH = state(['totp', 'passkey', 'recovery-code']);
const WITHOUT_CODES = state(['totp', 'passkey']);
const ADMIN = state([], false, ['ADMIN']);
const ADMIN_WITH_PASSKEY = state(['passkey'], false, ['ADMIN']);

type Row = [
  name: string,
  action: ChangeOf<'factors'>,
  before: ReturnType<typeof toSecondStep>,
  after: ReturnType<typeof toSecondStep>,
  ends: '' | 'prepared' | 'sessions and prepared',
  givesRecoveryCodes: boolean,
  provedFactor?: FactorMethod,
];
const ALL = 'sessions and prepared';
const TABLE: Row[] = [
  ['a first app', 'TOTP_ENABLED', NONE, state(['totp']), ALL, true, 'totp'],
  ['an app beside a passkey', 'TOTP_ENABLED', PASSKEY, WITHOUT_CODES, ALL, true, 'totp'],
  ['an app for a second step', 'TOTP_ENABLED', SWITCHED_ON, BOTH, ALL, false],
  ['a passkey without a second step', 'PASSKEY_ADDED', NONE, PASSKEY, '', false],
  ['a passkey beside an app', 'PASSKEY_ADDED', APP, BOTH, 'prepared', false],
  [
    'a passkey beside an app without codes',
    'PASSKEY_ADDED',
    state(['totp']),
    WITHOUT_CODES,
    'prepared',
    true,
  ],
  ['a first passkey of an ADMIN', 'PASSKEY_ADDED', ADMIN, ADMIN_WITH_PASSKEY, ALL, true, 'passkey'],
  ['the switch turned on', 'SECOND_STEP_ENABLED', PASSKEY, state(['passkey'], true), ALL, true],
  ['the switch turned off', 'SECOND_STEP_DISABLED', SWITCHED_ON, PASSKEY, ALL, false],
  ['a removed passkey without a second step', 'PASSKEY_REMOVED', PASSKEY, NONE, 'prepared', false],
  ['a removed passkey beside an app', 'PASSKEY_REMOVED', WITHOUT_CODES, state(['totp']), ALL, false],
  ['a removed last passkey', 'PASSKEY_REMOVED', SWITCHED_ON, NONE, ALL, false],
  ['a removed app', 'TOTP_DISABLED', BOTH, PASSKEY, ALL, false],
  ['new recovery codes', 'RECOVERY_CODES_REPLACED', APP, APP, ALL, false],
];

describe('consequences of a change of factors', () => {
  for (const [name, action, before, after, ends, givesRecoveryCodes, provedFactor] of TABLE)
    it(`are those of the table for ${name}`, () => {
      expect(decideConsequences(action, before, after)).to.deep.equal({
        endsOtherSessions: ends === ALL,
        endsPrepared: ends !== '',
        givesRecoveryCodes,
        provedFactor,
      });
    });
});
