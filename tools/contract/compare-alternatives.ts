import { getValues, type Resolve, type Schema, type SchemaComparison } from './openapi-types.ts';

/** Compares two schemas at the location of the alternatives. */
type Compare = (old: Schema, now: Schema, report: SchemaComparison['report']) => void;
type Alternative = { schema: Schema; tag: unknown };

const getProperties = (schema: Schema): Record<string, Schema> =>
  (schema['properties'] ?? {}) as Record<string, Schema>;

/** Each alternative with the keywords that apply to all, and the value by which the discriminator selects it. */
const getAlternatives = (schema: Schema, resolve: Resolve): Alternative[] | undefined => {
  const { anyOf, oneOf, discriminator, ...own } = schema;
  const { propertyName = '' } = (discriminator ?? {}) as { propertyName?: string };
  const alternatives = (oneOf ?? anyOf) as Schema[] | undefined;
  return alternatives?.map((reference) => {
    const alternative = resolve(reference);
    const tag = getProperties(alternative)[propertyName];
    return { schema: { ...own, ...alternative }, tag: tag && getValues(resolve(tag))?.[0] };
  });
};

/** Both have alternatives: compares those with the same value of the discriminator, and the others by position. */
export const compareAlternatives = (
  old: Schema,
  now: Schema,
  { direction, report, ...resolvers }: SchemaComparison,
  where: string,
  compare: Compare,
): void => {
  const before = getAlternatives(old, resolvers.before) ?? [];
  const after = getAlternatives(now, resolvers.after) ?? [];
  const pairs = before.flatMap(({ schema, tag }, index) => {
    const same = tag === undefined ? after[index] : after.find((alternative) => alternative.tag === tag);
    return same ? [[schema, same.schema] as const] : [];
  });
  for (const [one, other] of pairs) compare(one, other, report);
  const keyword = old['oneOf'] ? 'oneOf' : 'anyOf';
  if ((direction === 'request' ? before : after).length > pairs.length)
    report(where, `${keyword} had ${before.length} schemas and has ${after.length}`);
  if (direction === 'request' && keyword === 'anyOf' && now['oneOf'])
    report(where, 'anyOf became oneOf, which rejects a value that two alternatives allow');
};

/** The alternatives of a schema that had none. Together they have the values of the discriminator that each has one of. */
const withAllTags = (alternatives: Alternative[], { discriminator }: Schema): Schema[] => {
  const { propertyName } = (discriminator ?? {}) as { propertyName?: string };
  const tags = alternatives.map(({ tag }) => tag);
  return alternatives.map(({ schema }) => {
    const properties = getProperties(schema);
    if (propertyName === undefined || !properties[propertyName]) return schema;
    const { const: _const, ...tag } = properties[propertyName];
    return { ...schema, properties: { ...properties, [propertyName]: { ...tag, enum: tags } } };
  });
};

const reportFewest = (pairs: [Schema, Schema][], compare: Compare, report: SchemaComparison['report']) => {
  const reports = pairs.map(([one, other]) => {
    const found: Parameters<SchemaComparison['report']>[] = [];
    compare(one, other, (...change) => found.push(change));
    return found;
  });
  const [fewest = []] = reports.toSorted((one, other) => one.length - other.length);
  for (const change of fewest) report(...change);
};

/**
 * One of the two has alternatives, the other is a single schema. What was valid in a request must be valid for one of the
 * alternatives; each alternative of a response must have been valid before.
 */
export const compareWithAlternatives = (
  old: Schema,
  now: Schema,
  { direction, report, ...resolvers }: SchemaComparison,
  compare: Compare,
): void => {
  const before = getAlternatives(old, resolvers.before);
  const after = getAlternatives(now, resolvers.after);
  const olds = before?.map(({ schema }) => schema) ?? [old];
  const nows = after ? withAllTags(after, now) : [now];
  const pairs = olds.flatMap((one) => nows.map((other): [Schema, Schema] => [one, other]));
  const mustAllMatch = direction === 'request' ? before : after;
  if (!mustAllMatch) reportFewest(pairs, compare, report);
  else for (const [one, other] of pairs) compare(one, other, report);
};
