import { pathToFileURL } from 'node:url';
import { loadOpenApiDocument, toPublished } from '@platform/shared/openapi/openapi-document';
import { createHttpClient, type HttpClient } from '@platform/shared/testing/http-client';
import {
  CONTRACTS,
  createOperationFinder,
  listOperations,
} from '@platform/shared/testing/openapi-operations';
import { findProblems } from '../deployed/response-rules.ts';

/** Longer than the timeout of the gateway for sign-ins, so that it is the gateway that responds. */
const TIMEOUT_SECONDS = 60;

/** The documents of a checkout. Responses may have fields and words that they do not name. */
const readDocuments = async (root: string) => {
  const load = async (name: (typeof CONTRACTS)[number]) => {
    const file = pathToFileURL(`${root}/openapi/${name}.yaml`);
    return listOperations(name, toPublished(await loadOpenApiDocument(file)));
  };
  const operations = (await Promise.all(CONTRACTS.map(load))).flat();
  const fallback = operations.find(({ responses }) => 'default' in responses);
  if (!fallback) throw new Error(`The documents of ${root} describe no errors`);
  return { find: createOperationFinder(operations), fallback };
};

/**
 * A client of the gateway that serves at the time of each request. Every response is judged by the documents
 * of the checkout.
 */
export const createJudgedClient = async (getGatewayUrl: () => string, root: string) => {
  const documents = await readDocuments(root);
  const clients = new Map<string, HttpClient>();
  const broken = new Map<string, number>();

  const getClient = (): HttpClient => {
    const url = getGatewayUrl();
    const client =
      clients.get(url) ?? createHttpClient(url, { keepAlive: true, timeoutSeconds: TIMEOUT_SECONDS });
    clients.set(url, client);
    return client;
  };
  const send: HttpClient['send'] = async (call) => {
    const response = await getClient().send(call);
    if (response.failure !== undefined) return response;
    const { method = 'GET', path } = call;
    const operation = documents.find({ method, path: path.split('?', 1)[0] ?? '' });
    for (const problem of findProblems(documents, call, response)) {
      const line = `${method} ${operation?.template ?? path}: ${response.status}: ${problem}`;
      broken.set(line, (broken.get(line) ?? 0) + 1);
    }
    return response;
  };
  const sendOrThrow: HttpClient['sendOrThrow'] = async (call) => {
    const response = await send(call);
    if (response.failure === undefined) return response;
    throw new Error(`${call.method ?? 'GET'} ${call.path}: ${response.failure}`);
  };
  return {
    client: {
      baseUrl: getGatewayUrl(),
      send,
      sendOrThrow,
      close: () => {
        for (const client of clients.values()) client.close();
      },
    } satisfies HttpClient,
    /** Returns what has violated the documents since the last call, with the number of responses. */
    takeBroken: (): string[] => {
      const lines = [...broken].map(([line, count]) => `${line} (${count} responses)`);
      broken.clear();
      return lines;
    },
  };
};
