import { ignoreError, keepAccess, onRoute, type PlantedBreak, replaceText } from '../breaking-proxy.ts';

/** Noticed with --write only; some hide others. */
export const WRITE_BREAKS: readonly PlantedBreak[] = [
  {
    name: 'a sign-up with a short password',
    apply: onRoute(/\/customers\/auth\/sign-up$/, ({ text }, _response, resend) =>
      text.includes('"short"')
        ? resend({ body: text.replace('"short"', '"Long enough to pass"') })
        : undefined,
    ),
    line: /^a sign-up with a short password .*201 instead of 400 VALIDATION_FAILED/,
  },
  {
    name: 'a second account with the same address',
    apply: ignoreError(/\/customers\/auth\/sign-up$/, 'EMAIL_TAKEN'),
    line: /^a second sign-up with the address: .*201 instead of 409 EMAIL_TAKEN/,
  },
  {
    name: 'a sign-in with any password',
    apply: ignoreError(/\/customers\/auth\/sign-in$/, 'INVALID_CREDENTIALS'),
    line: /^sign-in: one 401 .*200 instead of 401 INVALID_CREDENTIALS/,
  },
  {
    name: 'another message for the sign-in of an unknown address',
    apply: onRoute(/\/customers\/auth\/sign-in$/, (request, { text }) =>
      request.text.includes('"unknown-')
        ? { text: text.replace(/"message":"/, '"message":"No user: ') }
        : undefined,
    ),
    line: /^sign-in: one 401 .*the responses differ/,
  },
  {
    name: 'a reset code that is refused for an unknown address',
    apply: onRoute(/\/customers\/auth\/reset-password\/email\/code\/send$/, ({ text }) =>
      text.includes('"unknown-') ? { status: 404 } : undefined,
    ),
    line: /^reset for an unknown address: .*404 instead of 200/,
  },
  {
    name: 'a verification with any code',
    apply: onRoute(/\/customers\/auth\/verification\/email\/code\/check$/, () => ({
      status: 200,
      text: '{"verified":true}',
    })),
    line: /^verification: a wrong code .*200 instead of 400 CODE_INVALID/,
  },
  {
    name: 'other sessions that continue after a change of the password',
    apply: keepAccess(/\/customers\/auth\/reset-password\/me$/),
    line: /^change of the password: .*200 instead of 401 TOKEN_INVALID/,
  },
  {
    name: 'a reset code that is valid twice',
    apply: ignoreError(/\/customers\/auth\/reset-password\/email\/code$/, 'CODE_INVALID'),
    line: /^reset of the password by code: .*204 instead of 400 CODE_INVALID/,
  },
  {
    name: 'a session that continues after the reset of the password',
    apply: keepAccess(/\/customers\/auth\/reset-password\/email\/code$/),
    line: /^reset of the password by code: .*200 instead of 401 TOKEN_INVALID/,
  },
  {
    name: 'a session that continues after another device has ended it',
    apply: keepAccess(/^DELETE .*\/customers\/auth\/sessions\//),
    line: /^sessions: another device .*200 instead of 401 TOKEN_INVALID/,
  },
  {
    name: 'a stolen refresh token that counts as superseded',
    apply: replaceText(
      /\/customers\/auth\/refresh\/token$/,
      'REFRESH_TOKEN_REUSED',
      'REFRESH_TOKEN_SUPERSEDED',
    ),
    line: /^refresh with a token from two refreshes ago: .*401 REFRESH_TOKEN_SUPERSEDED instead/,
  },
  {
    name: 'a sign-in without the second factor',
    apply: ignoreError(/\/customers\/auth\/sign-in$/, 'SECOND_FACTOR_REQUIRED'),
    line: /^authenticator app: .*200 instead of 401 SECOND_FACTOR_REQUIRED/,
  },
  {
    name: 'a recovery code that is valid twice',
    apply: onRoute(/^DELETE .*\/customers\/auth\/second-factor\/totp$/, () => ({ status: 204, text: '' })),
    line: /^authenticator app: .*204 instead of 401 SECOND_FACTOR_INVALID/,
  },
  {
    name: 'a deleted account whose token stays valid',
    apply: keepAccess(/\/customers\/auth\/account\/delete$/),
    line: /^deletion of .*200 instead of 401 TOKEN_INVALID/,
  },
  {
    name: 'a block without effect',
    apply: keepAccess(/^PATCH .*\/block$/),
    line: /^block and unblock of the new user: .*200 instead of 401 USER_BLOCKED/,
  },
  {
    name: 'an audit record without its actor',
    apply: replaceText(/\/audit-log\?targetId=/, /"actorId":"[^"]+"/g, '"actorId":null'),
    line: /^audit log: .*no USER_BLOCKED of the administrator/,
  },
  {
    name: 'an edit that changes nothing',
    apply: replaceText(/^PATCH .*\/projects\/[\w-]{36}$/, /"title":"[^"]*"/, '"title":"Old"'),
    line: /^edit of the newest project: .*\/title has not changed/,
  },
  {
    name: 'a deleted project that stays readable',
    apply: keepAccess(/^DELETE .*\/projects\/[\w-]{36}$/),
    line: /^deletion and restoration of the newest project: .*200 instead of 404 PROJECT_NOT_FOUND/,
  },
  {
    name: 'a contact form that is accepted with another status',
    apply: onRoute(/\/contact\/support$/, ({ text }) =>
      text.includes('subject') ? { status: 202 } : undefined,
    ),
    line: /^POST \/api\/v1\/contact\/support: .*202 instead of 204/,
  },
];
