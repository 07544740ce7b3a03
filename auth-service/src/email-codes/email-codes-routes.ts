import type { AuthOperations } from '../authentication/operations.ts';
import { toRequestingDevice, toUserAgent } from '../sessions/session.ts';
import type { EmailCodeService } from './email-codes-service.ts';
import type { PasswordResetService } from './password-reset-service.ts';

export const emailCodeRoutes = (codes: EmailCodeService, resets: PasswordResetService) =>
  ({
    verificationEmailCheck: ({ caller }) => ({
      status: 200,
      body: { verified: caller.account.isEmailVerified },
    }),

    verificationEmailCode: async ({ caller, userAgent, query }) => ({
      status: 200,
      body: await codes.sendVerificationCode(caller, toUserAgent(userAgent), query.returnTo),
    }),

    verificationEmailCodeCheck: async ({ caller, body }) => {
      await codes.verifyEmail(caller, body.code);
      return { status: 200, body: { verified: true } };
    },

    resetPasswordEmailCodeSend: async ({ kind, body, ...request }) => ({
      status: 200,
      body: await resets.sendResetCode(kind, body.email, toRequestingDevice(request)),
    }),

    resetPasswordEmailCode: async ({ kind, body, headers, context }) => {
      await resets.resetPassword(kind, body, headers['X-Fingerprint'], context);
      return { status: 204 };
    },
  }) satisfies Partial<AuthOperations>;
