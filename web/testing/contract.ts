import {
  createOperationFinder,
  loadOperations,
  type Operation,
  validateBody,
  validateValue,
} from '@platform/shared/testing/openapi-operations';
import { noteRequest, takeReloadProblems } from './reloads.ts';

/** What a test wants instead of the example of the success response. */
type Answer = {
  /** The code of an error that the contract describes for this operation. */
  code?: string;
  /** Chooses the response of a success with several statuses. */
  status?: number;
  /** Changes the example; the result must be valid too. */
  body?: (example: never) => unknown;
  headers?: Record<string, string>;
  /** A later release of the platform answers, with fields and words that this one does not know. */
  isOfLaterRelease?: true;
  /** The response is sent when this has happened. */
  after?: Promise<unknown>;
};

/** A request that the page has sent. */
type Sent = { operation: string; path: string; query: URLSearchParams; body: unknown };

type Media = { example?: unknown; examples?: Record<string, { value: unknown }> };

const operations = await loadOperations();
const findOperation = createOperationFinder(operations);
const answers = new Map<string, Answer | 'unreachable'>();
const problems: string[] = [];
let sent: Sent[] = [];

const listExamples = (operation: Operation, status: string | number): unknown[] => {
  const { example, examples = {} } = (operation.responses[status]?.content?.['application/json'] ??
    {}) as Media;
  return [example, ...Object.values(examples).map(({ value }) => value)].filter(
    (value) => value !== undefined,
  );
};

/** An error's example, or the body that all errors have if the contract describes the code without one. */
const findError = (operation: Operation, code: string): { status: number; body: unknown } => {
  const described = Object.entries(operation.responses).filter(([, { description = '' }]) =>
    description.includes(`\`${code}\``),
  );
  const [found] = described;
  if (!found) throw new Error(`${operation.name} has no error ${code}`);
  const [key, { description = '' }] = found;
  // The errors of all operations are one response, whose description has their statuses.
  const [, status = key] = new RegExp(`(\\d{3}) \`${code}\``).exec(description) ?? [];
  const examples = listExamples(operation, key);
  const body = examples.find((example) => (example as { code: string }).code === code) ?? {
    statusCode: Number(status),
    error: 'Error',
    code,
    message: 'For developers',
    requestId: '0f8c3f9e-6f0d-4a39-9d7b-0b6a4f1b2c3d',
  };
  return { status: Number(status), body };
};

const findSuccess = (operation: Operation, wanted: number | undefined): { status: number; body: unknown } => {
  const status = wanted ?? Number(Object.keys(operation.responses).find((known) => known.startsWith('2')));
  return { status, body: listExamples(operation, status)[0] };
};

const toResponse = (
  operation: Operation,
  { code, status, body, headers = {}, isOfLaterRelease }: Answer,
): Response => {
  const found = code === undefined ? findSuccess(operation, status) : findError(operation, code);
  const content = body ? body(structuredClone(found.body) as never) : found.body;
  const error = isOfLaterRelease ? undefined : validateBody(operation, found.status, content);
  if (error !== undefined) problems.push(`The answer of ${operation.name}: ${error}`);
  return new Response(content === undefined ? null : JSON.stringify(content), {
    status: found.status,
    headers: { 'Content-Type': 'application/json', 'X-Request-Id': 'request-1', ...headers },
  });
};

/** The request must be one of the contract: a field with another name would not reach the platform. */
const checkRequest = (operation: Operation, body: unknown): void => {
  if (!operation.body || (body === undefined && !operation.body.isRequired)) return;
  const error = validateValue(operation.body.schema, body);
  if (error !== undefined) problems.push(`The request of ${operation.name}: ${error}`);
};

/** Answers requests as the documents say: with their examples, unless a test has said otherwise. */
export const fetchFromContract = async (request: Request): Promise<Response> => {
  const { pathname, searchParams } = new URL(request.url);
  const operation = findOperation({ method: request.method, path: pathname });
  if (!operation) {
    problems.push(`The contract has no ${request.method} ${pathname}`);
    throw new TypeError('Failed to fetch');
  }
  noteRequest({ method: request.method, path: pathname });
  const text = await request.text();
  const body: unknown = text ? JSON.parse(text) : undefined;
  sent.push({ operation: operation.handler, path: pathname, query: searchParams, body });
  const answer = answers.get(operation.handler) ?? {};
  if (answer === 'unreachable') throw new TypeError('Failed to fetch');
  await answer.after;
  if (answer.code === undefined) checkRequest(operation, body);
  return toResponse(operation, answer);
};

const requireOperation = (handler: string): void => {
  if (!operations.some((operation) => operation.handler === handler))
    throw new Error(`There is no operation ${handler}`);
};

/** Says what an operation answers from now on. @param operation the name of its handler, such as `signIn` */
export const answer = (operation: string, wanted: Answer | 'unreachable' = {}): void => {
  requireOperation(operation);
  answers.set(operation, wanted);
};

/** Answers with the examples, in which the signed-in user differs so. */
export const answerSignedIn = (changes: object): void => {
  for (const operation of ['signIn', 'me'])
    answer(operation, {
      body: (example: { user: object }) => ({ ...example, user: { ...example.user, ...changes } }),
    });
};

/** The requests of an operation that were sent so far. */
export const listSent = (operation: string): Sent[] => {
  requireOperation(operation);
  return sent.filter((each) => each.operation === operation);
};

/** What the requests of an operation contained. */
export const bodiesOf = (operation: string): unknown[] => listSent(operation).map(({ body }) => body);

/** Forgets requests and answers. @throws if one was not of the contract, or a write left something old on the page */
export const resetContract = (): void => {
  answers.clear();
  sent = [];
  const found = [...problems.splice(0), ...takeReloadProblems()];
  if (found.length > 0) throw new Error(found.join('\n'));
};
