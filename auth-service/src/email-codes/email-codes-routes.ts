import { toClientSubnet } from '@platform/shared/http/client-address';
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
    const network = toClientSubnet(client.address);
    await codes.verifyEmail(kind, caller.account, { code: body.code, network }, client);
    return { status: 200, body: { verified: true } };
  },

  resetPasswordEmailCodeSend: async ({ body, client }) => ({
    status: 200,
    body: await codes.sendResetCode(kind, body.email, client.requestId),
  }),

  resetPasswordEmailCode: async ({ body, client }) => {
    const network = toClientSubnet(client.address);
    await codes.resetPassword(kind, { ...body, network }, client);
    return { status: 204 };
  },
});
