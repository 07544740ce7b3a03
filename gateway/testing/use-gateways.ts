import { expect } from 'chai';
import request, { type Response } from 'supertest';
import { type Gateway, useTestServers } from './start-gateway.ts';

export const SIGN_IN = '/api/v1/customers/auth/sign-in';

export const range = (length: number) => Array.from({ length }, (_, index) => index);

/** `RateLimit: "all";r=599;t=60` becomes `{ name: 'all', remaining: 599, seconds: 60 }`. */
export const parseRateLimit = ({ headers }: Response) => {
  const [, name, remaining, seconds] = /^"([\w-]+)";r=(\d+);t=(\d+)$/.exec(headers['ratelimit'] ?? '') ?? [];
  return { name, remaining: Number(remaining), seconds: Number(seconds) };
};

export const expectRateLimited = (response: Response): void => {
  expect(response.status, response.text).to.equal(429);
  expect(response.body).to.include({ statusCode: 429, error: 'Too Many Requests', code: 'RATE_LIMITED' });
  expect(response.body.requestId).to.equal(response.headers['x-request-id']);
  expect(Number(response.headers['retry-after'])).to.be.within(1, 60);
  expect(parseRateLimit(response).remaining).to.equal(0);
};

/**
 * Starts gateways with a tenth of the limits, in front of one instance of each service. Call it inside
 * `describe`.
 */
export const useGateways = () => {
  const { startUpstream, startGatewayTo } = useTestServers();
  const start = async (options: Parameters<typeof startGatewayTo>[1] = {}): Promise<Gateway> =>
    startGatewayTo([(await startUpstream()).url], { rateLimitScale: 0.1, ...options });
  const get = (gateway: Gateway, path: string, headers: Record<string, string> = {}) =>
    request(gateway.url).get(path).set(headers);
  const getStatuses = async (gateway: Gateway, path: string, count: number) => {
    const statuses: number[] = [];
    for (const _ of range(count)) statuses.push((await get(gateway, path)).status);
    return statuses;
  };
  return { start, get, getStatuses, startUpstream };
};
