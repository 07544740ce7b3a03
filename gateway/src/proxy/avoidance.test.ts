import { expect } from 'chai';
import { createHealth, findAvoided, type Health, type Outcome, record, startTrial } from './avoidance.ts';
import { findRouteGroup, type RouteGroup } from './route-groups.ts';

const NOW = 1_000_000;
const OUTCOMES: Record<string, Outcome> = { '+': 'answered', '-': 'failed', '~': 'busy', x: 'refused' };
const OK = '+'.repeat(40);
const HALF = '+-'.repeat(20);

/** Counts for one instance what each character stands for. Returns the last result. */
const add = (healths: readonly Health[], index: number, marks: string, now = NOW): number => {
  const conducts = healths.map(({ conduct }) => conduct.codes);
  const { [index]: own } = conducts;
  if (!own) throw new Error('There is no such instance');
  const others = conducts.filter((other) => other !== own);
  return [...marks].map((mark) => record(own, OUTCOMES[mark] ?? 'busy', others, now)).at(-1) ?? 0;
};

const find = (healths: readonly Health[], group: RouteGroup = 'codes', now = NOW): number[] => {
  const avoided = findAvoided(healths, group, now);
  return [...avoided.keys()].filter((index) => avoided[index]);
};

describe('avoidance of an instance', () => {
  const cases: [name: string, marks: string[], avoided: number[]][] = [
    ['fails what another answers', ['---', OK], [0]],
    ['fails half', [HALF, OK], [0]],
    ['begins to fail', [`${OK}${'-'.repeat(9)}`, OK], [0]],
    ['fails among busy answers', ['-~-~-', OK], [0]],
    ['refuses a connection', ['x', OK], [0]],
    ['has failed twice: none', ['--', OK], []],
    ['fails rarely: none', ['+++++++++-'.repeat(4), OK], []],
    ['is busy: none', ['~'.repeat(40), OK], []],
    ['fails as all do: none', [OK.replaceAll('+', '-'), OK.replaceAll('+', '-')], []],
    ['fails half, as all do: none', [HALF, HALF], []],
    ['refuses connections, as all do: none', ['x', 'x'], []],
    ['is the only one: none', ['x'], []],
    ['fails with one of two others: one of three', ['---', '---', OK], [0]],
    ['fails with two of three others: two of four', ['---', '---', '---', OK], [0, 1]],
  ];
  for (const [name, marks, avoided] of cases)
    it(`that ${name}`, () => {
      const healths = marks.map(createHealth);
      // In turn, as they are selected, and those that work first.
      for (let turn = 0; turn < 60; turn += 1)
        for (const [index, { [turn]: mark }] of [...marks.entries()].reverse())
          if (mark) add(healths, index, mark);
      expect(find(healths)).to.deep.equal(avoided);
      expect(find(healths, 'rest'), 'for another group').to.deep.equal([]);
    });

  const parts: [parts: string[][], group: RouteGroup, avoided: number[]][] = [
    [[['redis'], []], 'codes', [0]],
    [[['redis'], ['redis'], []], 'providers', [0, 1]],
    [[['redis'], ['redis'], []], 'passwords', [0]],
    [[['redis'], []], 'rest', []],
    [[['redis'], ['redis']], 'codes', []],
    [[['postgres-writes'], ['postgres-writes'], []], 'passwords', [0, 1]],
    [[['postgres'], []], 'rest', [0]],
    [[['postgres'], ['stopping'], []], 'codes', [0]],
    [[['postgres'], ['postgres']], 'rest', []],
  ];
  for (const [missing, group, avoided] of parts)
    it(`for ${group} when instances lack ${missing.map((names) => names.join() || 'nothing').join(' | ')}`, () => {
      const healths = missing.map((missingParts) => ({ ...createHealth(), missingParts }));
      expect(find(healths, group)).to.deep.equal(avoided);
    });

  it('lasts twice as long each time, until the instance has answered eight requests', () => {
    const healths = [createHealth(), createHealth()];
    const [{ conduct } = createHealth()] = healths;
    add(healths, 1, OK);
    expect(add(healths, 0, '---')).to.equal(1_000);
    let now = NOW;
    for (const milliseconds of [2_000, 4_000, 8_000, 16_000, 30_000, 30_000]) {
      now = conduct.codes.avoidedUntil;
      add(healths, 1, '+', now);
      startTrial(conduct.codes, now);
      // A success ends the avoidance, and the next failure begins one.
      if (milliseconds > 4_000) expect(add(healths, 0, '+', now)).to.equal(0);
      expect(add(healths, 0, '-', now)).to.equal(milliseconds);
    }
    startTrial(conduct.codes, conduct.codes.avoidedUntil);
    now += 30_000;
    add(healths, 1, OK, now);
    expect(add(healths, 0, `${OK}--`, now)).to.equal(0);
    expect(conduct.codes.level).to.equal(0);
  });

  it('ends with one request at a time', () => {
    const healths = [createHealth(), createHealth()];
    const [{ conduct } = createHealth()] = healths;
    add(healths, 1, OK);
    add(healths, 0, '---');
    add(healths, 0, '+');
    expect(find(healths), 'after a late answer').to.deep.equal([0]);
    const later = NOW + 1_000;
    expect(find(healths, 'codes', later)).to.deep.equal([]);
    startTrial(conduct.codes, later);
    expect(find(healths, 'codes', later), 'during the trial').to.deep.equal([0]);
    add(healths, 0, '~', later);
    expect(find(healths, 'codes', later), 'after a busy answer').to.deep.equal([]);
    startTrial(conduct.codes, later);
    add(healths, 0, '+', later);
    expect(find(healths, 'codes', later + 1)).to.deep.equal([]);
  });
});

describe('route groups', () => {
  const groups: Record<RouteGroup, string[]> = {
    passwords: ['customers/auth/sign-in', 'auth/admin/register', 'employees/auth/reset-password/me'],
    codes: [
      ...['customers/auth/verification/email/code/check', 'auth/admin/reset-password/email/code/send'],
      ...['customers/auth/email/change', 'auth/admin/second-factor', 'customers/auth/passkeys/options'],
      'employees/auth/sign-in/passkey',
    ],
    providers: [
      'customers/auth/oidc/x/authorize',
      'auth/admin/identities/x',
      'auth/oidc/x/backchannel-logout',
    ],
    rest: ['auth/me', 'customers/auth/refresh/token', 'customers/auth/sessions', 'users', 'contact/lead'],
  };
  for (const [group, paths] of Object.entries(groups))
    it(`puts ${paths.join(', ')} into ${group}`, () => {
      for (const path of paths) {
        expect(findRouteGroup(`/api/v1/${path}`, { isPlatform: true }), path).to.equal(group);
        expect(findRouteGroup(`/api/v1/${path}`, { isPlatform: false }), path).to.equal('rest');
      }
    });
});
