import { AppError } from '@platform/shared/errors/app-error';
import { expect } from 'chai';
import { classifyRefreshToken, createRefreshJti, hashRefreshJti, toNextGeneration } from './refresh-token.ts';
import { requireSameSession } from './session.ts';

describe('refresh token classification', () => {
  const older = createRefreshJti();
  const previous = toNextGeneration(older);
  const current = toNextGeneration(previous);
  const cases = [
    ['current', 'for the current token', current, 0, 10],
    ['superseded', 'for the previous token until the end of the leeway', previous, 10, 10],
    ['reused', 'for the previous token after the leeway', previous, 10.001, 10],
    ['reused', 'for the previous token when the leeway is 0', previous, 0.001, 0],
    ['reused', 'for an older token at once', older, 0, 10],
  ] as const;
  for (const [expected, title, presented, refreshedSeconds, leewaySeconds] of cases)
    it(`returns ${expected} ${title}`, () => {
      const stored = { refreshTokenId: hashRefreshJti(current), refreshedSeconds };
      expect(classifyRefreshToken(hashRefreshJti(presented), stored, leewaySeconds)).to.equal(expected);
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
