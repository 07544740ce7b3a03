import { isDeepStrictEqual } from 'node:util';
import { compareSchemas } from './compare-schemas.ts';
import {
  type Body,
  type Content,
  type Contract,
  createResolver,
  type Direction,
  type Operation,
  type Parameter,
  type Requirement,
  type Resolve,
  type ResponseObject,
} from './openapi-types.ts';

/** `operation` is the method and path, or `every operation`. */
export type BreakingChange = { operation: string; change: string };

export const EVERY_OPERATION = 'every operation';
const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

type Comparison = { before: Resolve; after: Resolve; report: (change: string) => void };

const compareContent = (
  old: Content = {},
  now: Content = {},
  { before, after, report }: Comparison,
  direction: Direction,
  name: string,
): void => {
  const reportAt = (where: string, change: string) => report(`${name}${where}: ${change}`);
  for (const [type, { schema }] of Object.entries(old)) {
    const same = now[type];
    if (same === undefined) reportAt('', `${type} was removed`);
    else compareSchemas(schema, same.schema, { direction, before, after, report: reportAt }, '');
  }
};

const toParameterKey = ({ in: place, name }: Parameter): string =>
  `${place} ${place === 'header' ? name.toLowerCase() : name}`;

const compareParameters = (
  old: Parameter[],
  now: Parameter[],
  { before, after, report }: Comparison,
): void => {
  const [known, present] = [old.map(before), now.map(after)];
  const find = (list: Parameter[], parameter: Parameter) =>
    list.find((other) => toParameterKey(other) === toParameterKey(parameter));
  for (const parameter of known) {
    const same = find(present, parameter);
    const reportAt = (where: string, change: string) =>
      report(`${toParameterKey(parameter)}${where}: ${change}`);
    if (same === undefined) {
      reportAt('', 'was removed');
      continue;
    }
    compareSchemas(
      parameter.schema,
      same.schema,
      { direction: 'request', before, after, report: reportAt },
      '',
    );
    for (const flag of ['style', 'explode', 'allowReserved', 'allowEmptyValue'] as const) {
      const [was, is] = [parameter, same].map((one) => (one as Record<string, unknown>)[flag]);
      if (was !== is) reportAt('', `${flag} was ${was ?? 'not set'} and is ${is ?? 'not set'}`);
    }
  }
  for (const parameter of present)
    if (parameter.required && !find(known, parameter)?.required)
      report(`${toParameterKey(parameter)}: became required`);
};

const compareBodies = (old: Body | undefined, now: Body | undefined, comparison: Comparison): void => {
  const [known, present] = [comparison.before(old), comparison.after(now)];
  if (known && !present) comparison.report('body: was removed');
  if (present?.required && !known?.required) comparison.report('body: became required');
  if (known && present) compareContent(known.content, present.content, comparison, 'request', 'body');
};

const compareHeaders = (
  old: ResponseObject,
  now: ResponseObject,
  status: string,
  { before, after, report }: Comparison,
): void => {
  for (const [name, header] of Object.entries(old.headers ?? {})) {
    const same = now.headers?.[name];
    const reportAt = (where: string, change: string) =>
      report(`response ${status}, header ${name}${where}: ${change}`);
    if (same === undefined) reportAt('', 'was removed');
    else
      compareSchemas(
        before(header).schema,
        after(same).schema,
        { direction: 'response', before, after, report: reportAt },
        '',
      );
  }
};

const compareResponses = (
  { responses: old = {} }: Operation,
  { responses: now = {} }: Operation,
  comparison: Comparison,
) => {
  for (const [status, response] of Object.entries(old)) {
    const same = now[status];
    if (same === undefined) {
      comparison.report(`response ${status}: was removed`);
      continue;
    }
    const [known, present] = [comparison.before(response), comparison.after(same)];
    compareContent(known.content, present.content, comparison, 'response', `response ${status}`);
    compareHeaders(known, present, status, comparison);
  }
  // A client that expects 200 treats 202 as a failure.
  for (const status of Object.keys(now))
    if (/^[23]/.test(status) && old[status] === undefined) comparison.report(`response ${status}: was added`);
};

/** Whether `now` accepts every caller that `old` accepts: no authentication, or the same schemes with at least the same roles. */
const accepts = (now: Requirement[], old: Requirement): boolean =>
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

const compareSecurity = (old: Requirement[] = [], now: Requirement[] = [], { report }: Comparison): void => {
  const requirements = old.length === 0 ? [{}] : old;
  if (!requirements.every((requirement) => accepts(now, requirement)))
    report(`security: was ${JSON.stringify(old)} and is ${JSON.stringify(now)}`);
};

type Item = Contract['paths'][string];

/** The operation, with the parameters of its path and the default security of the document. */
const findOperation = ({ security }: Contract, item: Item | undefined, method: string) => {
  const operation = item?.[method];
  if (!item || !operation) return undefined;
  return {
    ...operation,
    parameters: [...(operation.parameters ?? []), ...(item.parameters ?? [])],
    security: operation.security ?? security ?? [],
  };
};

const compareOperations = (
  known: Operation,
  present: Operation | undefined,
  comparison: Comparison,
): void => {
  if (!present) {
    comparison.report('was removed');
    return;
  }
  if (known.operationId !== present.operationId)
    comparison.report(`operationId: was ${known.operationId} and is ${present.operationId}`);
  compareParameters(known.parameters ?? [], present.parameters ?? [], comparison);
  compareBodies(known.requestBody, present.requestBody, comparison);
  compareResponses(known, present, comparison);
  compareSecurity(known.security, present.security, comparison);
};

/** Lists the changes that can break a client of `old`. */
export const compareContracts = (old: Contract, now: Contract): BreakingChange[] => {
  const changes: BreakingChange[] = [];
  const resolvers = { before: createResolver(old), after: createResolver(now) };
  if (!isDeepStrictEqual(old.servers, now.servers))
    changes.push({ operation: EVERY_OPERATION, change: 'servers: were changed' });
  for (const [path, item] of Object.entries(old.paths))
    for (const method of METHODS) {
      const known = findOperation(old, item, method);
      const operation = `${method.toUpperCase()} ${path}`;
      const report = (change: string) => changes.push({ operation, change });
      if (known)
        compareOperations(known, findOperation(now, now.paths[path], method), { ...resolvers, report });
    }
  return changes;
};
