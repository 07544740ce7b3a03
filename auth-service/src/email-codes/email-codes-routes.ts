import type { Kind } from '../kinds.ts';
import type { KindOperations } from '../operations.ts';
import type { EmailCodeService } from './email-codes-service.ts';

type Names =
  | 'verificationEmailCheck'
  | 'verificationEmailCode'
  | 'verificationEmailCodeCheck'
  | 'resetPasswordEmailCodeSend'
  | 'resetPasswordEmailCode';

export const emailCodeRoutes = (kind: Kind, codes: EmailCodeService): Pick<KindOperations, Names> => ({
  verificationEmailCheck: ({ caller }) => ({
    status: 200,
    body: { verified: caller.account.isEmailVerified },
  }),

  verificationEmailCode: async ({ caller, client }) => ({
    status: 200,
    body: await codes.sendVerificationCode(kind, caller.account, client.requestId),
  }),

  verificationEmailCodeCheck: async ({ caller, body, client }) => {
    await codes.verifyEmail(kind, caller.account, body.code, client);
    return { status: 200, body: { verified: true } };
  },

  resetPasswordEmailCodeSend: async ({ body, client }) => ({
    status: 200,
    body: await codes.sendResetCode(kind, body.email, client.requestId),
  }),

  resetPasswordEmailCode: async ({ body, client }) => {
    await codes.resetPassword(kind, body, client);
    return { status: 204 };
  },
});
