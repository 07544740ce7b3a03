import { AppError } from '@platform/shared/errors/app-error';
import { expect } from 'chai';
import { classifyRefreshToken, requireSameSession } from './session.ts';

describe('refresh token classification', () => {
  const previous = { isPrevious: true, refreshedSeconds: 10, isUsed: true };
  const cases = [
    ['current', 'for the current token', { isCurrent: true, isUsed: false }, 10],
    ['superseded', 'for the previous token until the end of the leeway', previous, 10],
    [
      'superseded',
      'within the leeway, before anything has used its successor',
      { ...previous, isUsed: false },
      10,
    ],
    ['reused', 'for the previous token after the leeway', { ...previous, refreshedSeconds: 10.001 }, 10],
    ['reused', 'for the previous token when the leeway is 0', { ...previous, refreshedSeconds: 0.001 }, 0],
    [
      'undelivered',
      'after the leeway, before anything has used its successor',
      { ...previous, isUsed: false },
      9,
    ],
    ['reused', 'for an older token at once', { isUsed: false }, 10],
  ] as const;
  for (const [expected, title, state, leewaySeconds] of cases)
    it(`returns ${expected} ${title}`, () => {
      const other = { isCurrent: false, isPrevious: false, refreshedSeconds: 0 };
      expect(classifyRefreshToken({ ...other, ...state }, leewaySeconds)).to.equal(expected);
    });
});

describe('requireSameSession', () => {
  const id = 'aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa';
  const [createdAt, updatedAt] = [new Date(), new Date()];
  const session = { id, userId: id, fingerprint: 'Device', ip: '127.0.0.1', createdAt, updatedAt };

  it('accepts the fingerprint, and the session id in any letter case', () => {
    requireSameSession(session, { fingerprint: 'Device' });
    requireSameSession(session, { fingerprint: 'Device', sessionId: id.toUpperCase() });
  });

  for (const identifiers of [
    { fingerprint: 'device' },
    { fingerprint: 'Device ' },
    { fingerprint: 'other', sessionId: id },
    { fingerprint: 'Device', sessionId: 'bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb' },
  ])
    it(`rejects ${JSON.stringify(identifiers)}`, () => {
      expect(() => requireSameSession(session, identifiers))
        .to.throw(AppError)
        .with.property('code', 'SESSION_NOT_FOUND');
    });
});
