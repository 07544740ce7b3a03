/** The refresh cookie of each account kind. The names are part of the API. */
export const REFRESH_COOKIES = {
  customer: 'CustomerRefreshToken',
  employee: 'EmployeeRefreshToken',
  administrator: 'AdminRefreshToken',
} as const;

/** Cookies that sign a user in. No other service behind the gateway may see or set them. */
export const PLATFORM_COOKIES: readonly string[] = Object.values(REFRESH_COOKIES);
