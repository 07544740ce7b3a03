import jsonwebtoken, { type JwtPayload } from 'jsonwebtoken';

/** Other lifetimes of tokens than the defaults. */
export const SHORT_LIFETIMES = {
  JWT_CUSTOMER_ACCESS_EXPIRES_IN: '600',
  JWT_CUSTOMER_REFRESH_EXPIRES_IN: '1200',
  JWT_EMPLOYEE_ACCESS_EXPIRES_IN: '600',
  JWT_EMPLOYEE_REFRESH_EXPIRES_IN: '1200',
};

export const decodeToken = (token: string) => jsonwebtoken.decode(token) as JwtPayload;
