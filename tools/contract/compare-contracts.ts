import { isDeepStrictEqual } from 'node:util';
import { compareSchemas, type Direction } from './compare-schemas.ts';
import {
  type Answer,
  type Body,
  type Content,
  type Contract,
  createResolver,
  type Operation,
  type Parameter,
  type Requirement,
  type Resolve,
} from './openapi-parts.ts';

/** `operation` is the method and path, or `every operation`. */
export type Break = { operation: string; what: string };

export const EVERY_OPERATION = 'every operation';
const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

type Pair = { before: Resolve; after: Resolve; tell: (what: string) => void };

const compareContent = (
  old: Content = {},
  now: Content = {},
  { before, after, tell }: Pair,
  direction: Direction,
  name: string,
): void => {
  const report = (where: string, what: string) => tell(`${name}${where}: ${what}`);
  for (const [type, { schema }] of Object.entries(old)) {
    const same = now[type];
    if (same === undefined) report('', `${type} is gone`);
    else compareSchemas(schema, same.schema, { direction, before, after, report }, '');
  }
};

const keyOf = ({ in: place, name }: Parameter): string =>
  `${place} ${place === 'header' ? name.toLowerCase() : name}`;

const compareParameters = (old: Parameter[], now: Parameter[], { before, after, tell }: Pair): void => {
  const [known, present] = [old.map(before), now.map(after)];
  const find = (list: Parameter[], parameter: Parameter) =>
    list.find((other) => keyOf(other) === keyOf(parameter));
  for (const parameter of known) {
    const same = find(present, parameter);
    const report = (where: string, what: string) => tell(`${keyOf(parameter)}${where}: ${what}`);
    if (same === undefined) {
      report('', 'is gone');
      continue;
    }
    compareSchemas(parameter.schema, same.schema, { direction: 'sent', before, after, report }, '');
    for (const flag of ['style', 'explode', 'allowReserved', 'allowEmptyValue'] as const) {
      const [was, is] = [parameter, same].map((one) => (one as Record<string, unknown>)[flag]);
      if (was !== is) report('', `${flag} was ${was ?? 'not set'} and is ${is ?? 'not set'}`);
    }
  }
  for (const parameter of present)
    if (parameter.required && !find(known, parameter)?.required) tell(`${keyOf(parameter)}: is required now`);
};

const compareBodies = (old: Body | undefined, now: Body | undefined, pair: Pair): void => {
  const [known, present] = [pair.before(old), pair.after(now)];
  if (known && !present) pair.tell('body: is gone');
  if (present?.required && !known?.required) pair.tell('body: is required now');
  if (known && present) compareContent(known.content, present.content, pair, 'sent', 'body');
};

const compareHeaders = (old: Answer, now: Answer, status: string, { before, after, tell }: Pair): void => {
  for (const [name, header] of Object.entries(old.headers ?? {})) {
    const same = now.headers?.[name];
    const report = (where: string, what: string) => tell(`answer ${status}, header ${name}${where}: ${what}`);
    if (same === undefined) report('', 'is gone');
    else
      compareSchemas(
        before(header).schema,
        after(same).schema,
        { direction: 'answered', before, after, report },
        '',
      );
  }
};

const compareAnswers = (
  { responses: old = {} }: Operation,
  { responses: now = {} }: Operation,
  pair: Pair,
) => {
  for (const [status, answer] of Object.entries(old)) {
    const same = now[status];
    if (same === undefined) {
      pair.tell(`answer ${status}: is gone`);
      continue;
    }
    const [known, present] = [pair.before(answer), pair.after(same)];
    compareContent(known.content, present.content, pair, 'answered', `answer ${status}`);
    compareHeaders(known, present, status, pair);
  }
  // A caller that waits for 200 takes 202 for a failure.
  for (const status of Object.keys(now))
    if (/^[23]/.test(status) && old[status] === undefined) pair.tell(`answer ${status}: is new`);
};

/** Whoever was let in by `old` is let in by `now`: nobody is asked, or the same schemes with those roles and more are. */
const admits = (now: Requirement[], old: Requirement): boolean =>
  now.length === 0 ||
  now.some((requirement) =>
    Object.entries(requirement).every(([scheme, roles]) => {
      const before = old[scheme];
      return (
        before !== undefined &&
        (roles.length === 0 || (before.length > 0 && before.every((role) => roles.includes(role))))
      );
    }),
  );

const compareSecurity = (old: Requirement[] = [], now: Requirement[] = [], { tell }: Pair): void => {
  const ways = old.length === 0 ? [{}] : old;
  if (!ways.every((way) => admits(now, way)))
    tell(`who may call it: was ${JSON.stringify(old)} and is ${JSON.stringify(now)}`);
};

type Item = Contract['paths'][string];

/** One method of a path, with what the path and the document say for all of theirs. */
const findOperation = ({ security }: Contract, item: Item | undefined, method: string) => {
  const operation = item?.[method];
  if (!item || !operation) return undefined;
  return {
    ...operation,
    parameters: [...(operation.parameters ?? []), ...(item.parameters ?? [])],
    security: operation.security ?? security ?? [],
  };
};

const compareOperations = (known: Operation, present: Operation | undefined, pair: Pair): void => {
  if (!present) {
    pair.tell('is gone');
    return;
  }
  if (known.operationId !== present.operationId)
    pair.tell(`operationId: was ${known.operationId} and is ${present.operationId}`);
  compareParameters(known.parameters ?? [], present.parameters ?? [], pair);
  compareBodies(known.requestBody, present.requestBody, pair);
  compareAnswers(known, present, pair);
  compareSecurity(known.security, present.security, pair);
};

/** Every way in which a caller who keeps to `old` may fail under `now`. */
export const compareContracts = (old: Contract, now: Contract): Break[] => {
  const breaks: Break[] = [];
  const resolvers = { before: createResolver(old), after: createResolver(now) };
  if (!isDeepStrictEqual(old.servers, now.servers))
    breaks.push({ operation: EVERY_OPERATION, what: 'servers: are others now' });
  for (const [path, item] of Object.entries(old.paths))
    for (const method of METHODS) {
      const known = findOperation(old, item, method);
      const operation = `${method.toUpperCase()} ${path}`;
      const tell = (what: string) => breaks.push({ operation, what });
      if (known)
        compareOperations(known, findOperation(now, now.paths[path], method), { ...resolvers, tell });
    }
  return breaks;
};
