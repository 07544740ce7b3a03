import type { HttpResponse } from '@platform/shared/testing/http-client';
import { createOperationFinder, type Operation } from '@platform/shared/testing/openapi-operations';
import { parseResponse, sendRaw } from '@platform/shared/testing/raw-http';
import fc from 'fast-check';
import type { Fixture } from './fixture.ts';
import { ANY_BODY_MUTATIONS, BODY_TEXT_MUTATIONS } from './mutations/body-bytes.ts';
import { bodyValueMutations } from './mutations/body-values.ts';
import { HEADER_MUTATIONS, otherToken } from './mutations/headers.ts';
import { PATH_MUTATIONS, queryMutations } from './mutations/target.ts';
import { rawRequest } from './raw-request.ts';
import { type FuzzRequest, formatRequest, type Mutation, toBytes } from './request.ts';
import { checkAnyResponse, checkResponse } from './response-checker.ts';
import { validRequest } from './valid-request.ts';

/**
 * Sends one request. Fails with an error that describes the wrong response and has the request id as its
 * cause.
 */
export type Attempt = () => Promise<void>;
/** Each operation is a separate property, so that the failure of one neither hides nor stops the others. */
export type Property = { name: string; attempt: fc.Arbitrary<Attempt> };
export type SentRequest = { property: string; mutations: readonly string[]; status: number };

const MAX_CONCURRENCY = 10;
const MAX_MUTATIONS = 3;

const createMutations = (operation: Operation, fixture: Fixture): fc.Arbitrary<Mutation> => {
  const [onBody, onRest] = operation.body ? [2, 1] : [0, 2];
  const groups: [weight: number, mutations: readonly fc.Arbitrary<Mutation>[]][] = [
    [onBody, bodyValueMutations(operation)],
    [onBody, BODY_TEXT_MUTATIONS],
    [onBody || 1, ANY_BODY_MUTATIONS],
    [onRest, queryMutations(operation)],
    [onRest, PATH_MUTATIONS],
    [onRest, HEADER_MUTATIONS],
    [1, [otherToken(fixture)]],
  ];
  const used = groups.filter(([weight, mutations]) => weight > 0 && mutations.length > 0);
  return fc.oneof(...used.map(([weight, mutations]) => ({ weight, arbitrary: fc.oneof(...mutations) })));
};

/** Also returns the names of the mutations that changed the request. */
const applyMutations = (valid: FuzzRequest, mutations: readonly Mutation[]) =>
  mutations.reduce(
    ({ request, names }, { name, apply }) => {
      const mutated = apply(request);
      return { request: mutated, names: mutated === request ? names : [...names, name] };
    },
    { request: valid, names: [] as readonly string[] },
  );

const failOn = (problems: readonly string[], request: string, { headers }: HttpResponse): void => {
  if (problems.length > 0)
    throw new Error(`${problems.join('; ')}\n${request}`, { cause: headers['x-request-id'] });
};

/** Runs at most `max` tasks at once; the others wait. */
const createLimiter = (max: number) => {
  const waiting: (() => void)[] = [];
  let free = max;
  return async (task: () => Promise<void>): Promise<void> => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      await task();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
};

/** The first response to these bytes. */
const sendBytes = async (url: string, bytes: Buffer): Promise<HttpResponse> => {
  const received = await sendRaw(url, bytes);
  const { status, headers, text } = parseResponse(received) ?? { status: 0, headers: {}, text: '' };
  const failure = status === 0 ? `not HTTP: ${received.slice(0, 60)}` : undefined;
  const body = text && /^application\/json/.test(headers['content-type'] ?? '') ? JSON.parse(text) : {};
  return { status, headers, text, failure, body, code: body.code, milliseconds: 0 };
};

type Context = {
  gatewayUrl: string;
  operations: readonly Operation[];
  fixture: Fixture;
  /** Called after each response. */
  onSent: (sent: SentRequest) => void;
};

/** Creates a property for each operation, and one for requests that no HTTP client can send. */
export const createProperties = ({ gatewayUrl, operations, fixture, onSent }: Context) => {
  const { host } = new URL(gatewayUrl);
  const limit = createLimiter(MAX_CONCURRENCY);
  const find = createOperationFinder(operations);
  const fallback = operations.find(({ responses }) => 'default' in responses);
  if (!fallback) throw new Error('The documents describe no errors');
  const contract = { find, fallback };

  const attemptOn = (operation: Operation): fc.Arbitrary<Attempt> => {
    const mutations = fc.array(createMutations(operation, fixture), { maxLength: MAX_MUTATIONS });
    return fc
      .tuple(validRequest(operation, fixture), mutations)
      .map(([createRequest, chosen]) => async () => {
        const { request, names } = applyMutations(await createRequest(), chosen);
        const response = await sendBytes(gatewayUrl, toBytes(request, host));
        onSent({ property: operation.name, mutations: names, status: response.status });
        const exchange = { request, isValid: names.length === 0, response };
        const description = `Mutations: ${names.join(', ') || 'none'}\n${formatRequest(request)}`;
        failOn(checkResponse(contract, exchange), description, response);
      });
  };
  const rawAttempt = rawRequest.map((bytes) => async () => {
    const response = await sendBytes(gatewayUrl, bytes);
    onSent({ property: 'raw', mutations: ['raw'], status: response.status });
    const problems = checkAnyResponse(contract, { path: '/raw' }, response).filter(
      (problem) => !problem.includes('RateLimit'),
    );
    failOn(problems, JSON.stringify(bytes.toString('latin1').slice(0, 300)), response);
  });

  const toProperty = (name: string, attempt: fc.Arbitrary<Attempt>): Property => ({
    name,
    attempt: attempt.map((run) => () => limit(run)),
  });
  const properties = operations.map((operation) => toProperty(operation.name, attemptOn(operation)));
  return [...properties, toProperty('raw', rawAttempt)];
};
