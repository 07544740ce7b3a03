import { isPlatformError, type PlatformClient } from '@platform/client';

/** The function under test: the greeting on a page for customers. */
export const greet = async (platform: PlatformClient<'customer'>): Promise<string> => {
  try {
    const { user, profile } = await platform.me();
    return `Hello ${profile?.firstName ?? user.email}`;
  } catch (error) {
    if (isPlatformError(error, 'USER_BLOCKED')) return 'Your account is blocked. Write to our support.';
    if (isPlatformError(error, 'RATE_LIMITED')) return `Try again in ${error.retryAfterSeconds} s.`;
    throw error;
  }
};
