import { AppError } from '@platform/shared/errors/app-error';
import { expect } from 'chai';
import { classifyRefreshToken, requireSameSession } from './session.ts';

describe('refresh token classification', () => {
  const cases = [
    [
      'returns current for the current token',
      { isCurrent: true, isPrevious: false, supersededSeconds: 0 },
      10,
      'current',
    ],
    [
      'returns superseded for the previous token within the leeway',
      { isPrevious: true, supersededSeconds: 0.1 },
      10,
      'superseded',
    ],
    [
      'returns superseded for the previous token at the end of the leeway',
      { isPrevious: true, supersededSeconds: 10 },
      10,
      'superseded',
    ],
    [
      'returns reused for the previous token after the leeway',
      { isPrevious: true, supersededSeconds: 10.001 },
      10,
      'reused',
    ],
    [
      'returns reused for the previous token when the leeway is 0',
      { isPrevious: true, supersededSeconds: 0.001 },
      0,
      'reused',
    ],
    [
      'returns reused for an older token at once',
      { isPrevious: false, supersededSeconds: 0.1 },
      10,
      'reused',
    ],
  ] as const;
  for (const [title, state, leewaySeconds, expected] of cases)
    it(title, () => {
      expect(classifyRefreshToken({ isCurrent: false, ...state }, leewaySeconds)).to.equal(expected);
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
