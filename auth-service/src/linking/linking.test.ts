import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { expect } from 'chai';
import { decideLinking, type LinkingFacts, mayVouch } from './linking.ts';

type Row = { when: string; result: string };

const CONDITIONS: Record<string, (facts: LinkingFacts) => boolean> = {
  'identity of another kind': ({ identity }) => identity === 'of-other-kind',
  'identity of the kind': ({ identity }) => identity === 'of-kind',
  'account of another kind': ({ account }) => account === 'of-other-kind',
  'no account with the address': ({ account }) => account === 'none',
  'address not verified there': ({ isVerifiedThere }) => !isVerifiedThere,
  'address verified here': ({ isVerifiedHere }) => isVerifiedHere,
  'address not verified here': ({ isVerifiedHere }) => !isVerifiedHere,
  'may vouch': ({ mayVouch }) => mayVouch,
  'may not vouch': ({ mayVouch }) => !mayVouch,
  'no sign-up': ({ allowsSignUp }) => !allowsSignUp,
  administrators: ({ kind }) => kind === 'administrator',
  'no platform role': ({ hasRole }) => !hasRole,
  'platform role at a provider for others': ({ isProviderAllowed }) => !isProviderAllowed,
  blocked: ({ isBlocked }) => isBlocked,
};

const RESULTS: Record<string, string> = {
  'sign-in': 'signs in',
  'sign-up-verified': 'new account, verified',
  'sign-up-unverified': 'new account, not verified',
  link: 'linked',
  'take-over': 'taken over',
};

const readTable = async (): Promise<Row[]> => {
  const page = await readFile(resolve(import.meta.dirname, '../../../SECURITY.md'), 'utf8');
  const [, table = ''] = page.split('<!-- linking -->');
  return table
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line) => line.split('|').map((cell) => cell.trim().replaceAll('`', '')))
    .map(([, when = '', result = '']) => ({ when, result }));
};

/** Every value of each fact. */
const VALUES: { [Name in keyof LinkingFacts]: readonly LinkingFacts[Name][] } = {
  kind: ['customer', 'employee', 'administrator'],
  identity: ['none', 'of-kind', 'of-other-kind'],
  account: ['none', 'of-kind', 'of-other-kind'],
  isVerifiedThere: [true, false],
  isVerifiedHere: [true, false],
  mayVouch: [true, false],
  isBlocked: [true, false],
  hasRole: [true, false],
  isProviderAllowed: [true, false],
  allowsSignUp: [true, false],
};

const CASES = Object.entries(VALUES).reduce<object[]>(
  (cases, [name, values]) => cases.flatMap((facts) => values.map((value) => ({ ...facts, [name]: value }))),
  [{}],
) as LinkingFacts[];

const matches = ({ when }: Row, facts: LinkingFacts): boolean =>
  when.split(', ').every((condition) => CONDITIONS[condition]?.(facts));

const decide = (facts: LinkingFacts): string => {
  const decision = decideLinking(facts);
  return 'rejection' in decision ? decision.rejection : (RESULTS[decision.action] ?? '');
};

const table = await readTable();

describe('identity linking as in the table of SECURITY.md', () => {
  it('has a row for every case', () => {
    expect(CASES.filter((facts) => !table.some((row) => matches(row, facts)))).to.deep.equal([]);
  });

  for (const row of table)
    it(`${row.when}: ${row.result}`, () => {
      const ofRow = CASES.filter((facts) => table.find((each) => matches(each, facts)) === row);
      expect(ofRow).to.have.length.above(0);
      for (const facts of ofRow) expect(decide(facts), JSON.stringify(facts)).to.equal(row.result);
    });
});

describe('a provider', () => {
  it('vouches for listed domains, but not for their subdomains and look-alikes', () => {
    const vouches = (email: string, domains = ['example.com']) => mayVouch({ domains }, email);
    expect([vouches('x@example.com'), vouches('x@other.example', ['*'])]).to.deep.equal([true, true]);
    for (const domain of ['sub.example.com', 'xexample.com', 'example.com.evil.example'])
      expect(vouches(`x@${domain}`), domain).to.equal(false);
  });
});
