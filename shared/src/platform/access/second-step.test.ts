import { expect } from 'chai';
import { isSecondStepDue, isSecondStepNeeded } from './second-step.ts';

type Case = [name: string, hasTotp: boolean, isSecondStepOn: boolean, roles: string[], expected: object];

// A second step that is required cannot be switched off.
const CASES: Case[] = [
  ['nothing', false, false, ['CUSTOMER'], { isDue: false, isNeeded: false }],
  ['the switch', false, true, ['CUSTOMER'], { isDue: true, isNeeded: false }],
  ['an authenticator app', true, false, ['CUSTOMER'], { isDue: true, isNeeded: true }],
  ['the switch and an app', true, true, ['CUSTOMER'], { isDue: true, isNeeded: true }],
  ['a role that requires one', false, false, ['CUSTOMER', 'ADMIN'], { isDue: true, isNeeded: true }],
  ['a role that requires none', false, false, ['OPERATOR'], { isDue: false, isNeeded: false }],
  ['the switch and a role that requires none', false, true, ['OPERATOR'], { isDue: true, isNeeded: false }],
];

describe('whether a second step is due', () => {
  for (const [name, hasTotp, isSecondStepOn, roles, expected] of CASES)
    it(`is decided by ${name}`, () => {
      const facts = { hasTotp, isSecondStepOn, roles };
      expect({
        isDue: isSecondStepDue(facts, ['ADMIN']),
        isNeeded: isSecondStepNeeded(facts, ['ADMIN']),
      }).to.deep.equal(expected);
    });
});
