import type { paths } from '@platform/client';
import { createOpenApiHttp } from 'openapi-msw';

export const GATEWAY_URL = 'https://api.example.com';

/**
 * A wrong path, status or field of a mock does not compile, so mocks cannot differ from the platform's
 * documents.
 */
export const http = createOpenApiHttp<paths>({ baseUrl: `${GATEWAY_URL}/api/v1` });

const TIME = '2026-01-15T09:30:00.000Z';
export const ADA = {
  id: '5b0c9a34-3c52-4a3c-9d5c-2f6b7d0e8a11',
  email: 'ada@example.com',
  isEmailVerified: true,
  roles: ['CUSTOMER' as const],
  customerId: '0b9a1f52-7c8d-4d10-8f0e-61d3a2b4c5d6',
  createdAt: TIME,
};
const PROFILE = {
  id: ADA.customerId,
  userId: ADA.id,
  firstName: 'Ada',
  lastName: null,
  phone: null,
  createdAt: TIME,
  updatedAt: TIME,
};
const SESSION = {
  id: 'c1f3a9be-58a4-4a6f-9a63-0f8c3f9e6f0d',
  userId: ADA.id,
  fingerprint: 'test',
  ip: '203.0.113.7',
  createdAt: TIME,
  updatedAt: TIME,
};

/** The handlers of a signed-in customer; a test replaces single responses with `server.use`. */
export const handlers = [
  http.post('/customers/auth/sign-in', ({ response }) =>
    response(200).json({ token: 'an-access-token', session: SESSION, user: ADA }),
  ),
  http.get('/customers/auth/me', ({ response }) =>
    response(200).json({ user: ADA, profile: PROFILE, session: SESSION }),
  ),
];
