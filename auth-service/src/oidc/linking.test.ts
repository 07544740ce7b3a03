import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { expect } from 'chai';
import { decideLinking, type LinkingFacts } from './linking.ts';

type Row = { cells: string[]; result: string };
type Case = { facts: LinkingFacts; cells: string[] };

const RELATIONS = { none: 'none', 'of-kind': 'of the kind', 'of-other-kind': 'of another kind' } as const;
const BOOLEANS = [true, false];
const RESULTS: Record<string, string> = {
  'sign-in': 'signs in',
  'sign-up-verified': 'new account, verified',
  'sign-up-unverified': 'new account, not verified',
  link: 'linked',
  'take-over': 'taken over',
};

/** The table of SECURITY.md: a dash stands for any value. */
const readTable = async (): Promise<Row[]> => {
  const page = await readFile(resolve(import.meta.dirname, '../../../SECURITY.md'), 'utf8');
  const [, table = ''] = page.split('<!-- linking -->');
  const lines = table.split('\n').filter((line) => line.startsWith('|'));
  return lines.slice(2).map((line) => {
    const cells = line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
    return { cells: cells.slice(0, -1), result: (cells.at(-1) ?? '').replaceAll('`', '') };
  });
};

const toWord = (value: boolean): string => (value ? 'yes' : 'no');

/** All combinations, with their cells in the order of the table. */
const listCases = (): Case[] =>
  (['customer', 'employee', 'administrator'] as const).flatMap((kind) =>
    (['none', 'of-kind', 'of-other-kind'] as const).flatMap((identity) =>
      (['none', 'of-kind', 'of-other-kind'] as const).flatMap((account) =>
        Array.from({ length: 64 }, (_, bits): Case => {
          const [isVerifiedThere, isVerifiedHere, mayVouch, isBlocked, hasRole, allowsSignUp] = [
            0, 1, 2, 3, 4, 5,
          ].map((bit) => BOOLEANS[(bits >> bit) & 1] ?? true) as [
            boolean,
            boolean,
            boolean,
            boolean,
            boolean,
            boolean,
          ];
          const state = { isVerifiedThere, isVerifiedHere, mayVouch, isBlocked, hasRole, allowsSignUp };
          const words = [isVerifiedThere, mayVouch, isVerifiedHere, isBlocked, hasRole, allowsSignUp].map(
            toWord,
          );
          const [there = '', ...others] = words;
          const group = kind === 'administrator' ? 'administrators' : 'others';
          return {
            facts: { kind, identity, account, ...state },
            cells: [group, RELATIONS[identity], there, RELATIONS[account], ...others],
          };
        }),
      ),
    ),
  );

const matches = (row: Row, { cells }: Case): boolean =>
  row.cells.every((cell, index) => cell === '–' || cell === cells[index]);

const decide = (facts: LinkingFacts): string => {
  const decision = decideLinking(facts);
  return 'refusal' in decision ? decision.refusal : (RESULTS[decision.action] ?? '');
};

const table = await readTable();
const cases = listCases();

describe('linking of an identity, by the table of SECURITY.md', () => {
  it('has a row for every case', () => {
    expect(cases.filter((each) => !table.some((row) => matches(row, each)))).to.deep.equal([]);
  });

  for (const [index, row] of table.entries())
    it(`${row.cells.join(' | ')}: ${row.result}`, () => {
      const ofRow = cases.filter((each) => table.findIndex((other) => matches(other, each)) === index);
      expect(ofRow).to.have.length.above(0);
      for (const { facts } of ofRow) expect(decide(facts), JSON.stringify(facts)).to.equal(row.result);
    });
});
