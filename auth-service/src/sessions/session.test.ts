import { AppError } from '@platform/shared/errors/app-error';
import { expect } from 'chai';
import { judgeRefreshToken, requireSameSession } from './session.ts';

describe('The judgement of a refresh token', () => {
  const cases = [
    [
      'the current one is current',
      { isCurrent: true, isPrevious: false, supersededSeconds: 0 },
      10,
      'current',
    ],
    [
      'the previous one just now is superseded',
      { isPrevious: true, supersededSeconds: 0.1 },
      10,
      'superseded',
    ],
    [
      'the previous one at the limit is superseded',
      { isPrevious: true, supersededSeconds: 10 },
      10,
      'superseded',
    ],
    ['the previous one after it is reused', { isPrevious: true, supersededSeconds: 10.001 }, 10, 'reused'],
    [
      'the previous one without a leeway is reused',
      { isPrevious: true, supersededSeconds: 0.001 },
      0,
      'reused',
    ],
    ['an older one is reused at once', { isPrevious: false, supersededSeconds: 0.1 }, 10, 'reused'],
  ] as const;
  for (const [name, history, leewaySeconds, verdict] of cases)
    it(name, () => {
      expect(judgeRefreshToken({ isCurrent: false, ...history }, leewaySeconds)).to.equal(verdict);
    });
});

describe('The session that a request presents', () => {
  const id = 'aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa';
  const [createdAt, updatedAt] = [new Date(), new Date()];
  const session = { id, userId: id, fingerprint: 'Device', ip: '127.0.0.1', createdAt, updatedAt };

  it('is the same by its fingerprint, and by its id in any letter case', () => {
    requireSameSession(session, { fingerprint: 'Device' });
    requireSameSession(session, { fingerprint: 'Device', sessionId: id.toUpperCase() });
  });

  for (const presented of [
    { fingerprint: 'device' },
    { fingerprint: 'Device ' },
    { fingerprint: 'other', sessionId: id },
    { fingerprint: 'Device', sessionId: 'bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb' },
  ])
    it(`is another by ${JSON.stringify(presented)}`, () => {
      expect(() => requireSameSession(session, presented))
        .to.throw(AppError)
        .with.property('code', 'SESSION_NOT_FOUND');
    });
});
