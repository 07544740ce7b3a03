import { toClientSubnet } from '@platform/shared/http/client-address';
import type { Kind } from '../kinds.ts';
import type { KindOperations } from '../operations.ts';
import type { EmailCodeService } from './email-codes-service.ts';

type EmailCodeOperation =
  | 'verificationEmailCheck'
  | 'verificationEmailCode'
  | 'verificationEmailCodeCheck'
  | 'resetPasswordEmailCodeSend'
  | 'resetPasswordEmailCode';

export const emailCodeRoutes = (
  kind: Kind,
  codes: EmailCodeService,
): Pick<KindOperations, EmailCodeOperation> => ({
  verificationEmailCheck: ({ caller }) => ({
    status: 200,
    body: { verified: caller.account.isEmailVerified },
  }),

  verificationEmailCode: async ({ caller, context: { requestId }, language }) => ({
    status: 200,
    body: await codes.sendVerificationCode(kind, caller.account, { requestId, language }),
  }),

  verificationEmailCodeCheck: async ({ caller, body, context }) => {
    const network = toClientSubnet(context.address);
    await codes.verifyEmail(kind, caller.account, { code: body.code, network }, context);
    return { status: 200, body: { verified: true } };
  },

  resetPasswordEmailCodeSend: async ({ body, context: { requestId }, language }) => ({
    status: 200,
    body: await codes.sendResetCode(kind, body.email, { requestId, language }),
  }),

  resetPasswordEmailCode: async ({ body, context, language }) => {
    const network = toClientSubnet(context.address);
    await codes.resetPassword(kind, { ...body, network, language }, context);
    return { status: 204 };
  },
});
