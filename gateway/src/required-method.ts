import { AppError } from '@platform/shared/errors/app-error';

/** @throws AppError 405 */
export const requireMethod = (method: string, ...allowed: readonly string[]): void => {
  if (allowed.includes(method)) return;
  const list = allowed.join(', ');
  throw new AppError('METHOD_NOT_ALLOWED', 405, `Method not allowed; use ${list}.`, {
    headers: { Allow: list },
  });
};
