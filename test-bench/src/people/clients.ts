import type { handledOperations as AdminOperations } from '@platform/openapi/types/admin';
import { createAuthClient } from '@platform/shared/testing/auth-client';
import { withBotCheck } from '@platform/shared/testing/bot-check';
import { createContractClient, readContract } from '@platform/shared/testing/contract-client';
import { createHttpClient, formatStatus, type HttpResponse } from '@platform/shared/testing/http-client';
import { isRole, type PersonKind } from './person.ts';

const adminContract = await readContract('admin');

/** @throws Error that ends the request with 500 if the platform responds with another status */
export const expectStatus = async (
  expected: number,
  request: Promise<HttpResponse>,
): Promise<HttpResponse['body']> => {
  const response = await request;
  if (response.status === expected) return response.body;
  throw new Error(`The platform responds with ${formatStatus(response)}: ${response.text}`);
};

export const toAccountKind = (kind: PersonKind) => (isRole(kind) ? 'administrator' : kind);

/** Clients of the gateway, each of which comes from one network and sends one language. */
export const createClients = (gatewayUrl: string) => {
  const http = createHttpClient(gatewayUrl, { keepAlive: true, timeoutSeconds: 30 });
  const sendFrom = (network: string, language: string | undefined) =>
    withBotCheck((request) =>
      http.send({
        ...request,
        headers: { 'X-Forwarded-For': network, 'Accept-Language': language, ...request.headers },
      }),
    );
  return {
    ofAccounts: (kind: PersonKind, network: string, language?: string) =>
      createAuthClient(gatewayUrl, toAccountKind(kind), sendFrom(network, language)),
    ofBackOffice: (accessToken: string, network: string) =>
      createContractClient<AdminOperations>(adminContract, sendFrom(network, undefined), { accessToken }),
    close: (): void => http.close(),
  };
};

export type Clients = ReturnType<typeof createClients>;
export type BackOfficeClient = ReturnType<Clients['ofBackOffice']>;
export type AccountClient = ReturnType<Clients['ofAccounts']>;
