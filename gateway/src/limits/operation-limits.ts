import { getBasePath, type OpenApiDocument } from '@platform/shared/openapi/openapi-document';
import { OPERATION_LIMITS, type OperationLimit } from './requests-per-minute.ts';

type Limits = readonly OperationLimit[];
/** The documented operation of a request, for log and trace. `route` is its path with parameters. */
type FoundOperation = { id: string; route: string };
type LimitedOperation = FoundOperation & { limits: Limits };

/**
 * The paths of the document as a tree: the operations of the path that ends here, by method, and the segments
 * that may follow.
 */
type PathNode = {
  byMethod: Map<string, LimitedOperation>;
  segments: Map<string, PathNode>;
  parameter: PathNode | undefined;
};

const createNode = (): PathNode => ({ byMethod: new Map(), segments: new Map(), parameter: undefined });

const decode = (path: string): string =>
  path.replace(/%([0-9a-f]{2})/gi, (_encoded, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );

/**
 * The services route a path only exactly as documented. The limit also counts other cases, encodings and
 * slashes.
 */
const toSegments = (path: string): string[] => {
  const decoded = path.includes('%') ? decode(path) : path;
  return decoded
    .toLowerCase()
    .split('/')
    .filter((segment) => segment !== '');
};

/** The path as the limits compare it. `/` becomes an empty text, within which every path is. */
export const toComparablePath = (path: string): string =>
  toSegments(path)
    .map((segment) => `/${segment}`)
    .join('');

const addSegment = (node: PathNode, segment: string): PathNode => {
  if (segment.startsWith('{')) {
    node.parameter ??= createNode();
    return node.parameter;
  }
  const next = node.segments.get(segment) ?? createNode();
  node.segments.set(segment, next);
  return next;
};

const isOperationLimit = (name: string): name is OperationLimit => Object.hasOwn(OPERATION_LIMITS, name);

/** @throws Error for an unknown name */
const requireLimits = (path: string, names: readonly string[]): Limits =>
  names.map((name) => {
    if (!isOperationLimit(name)) throw new Error(`Unknown x-rate-limit of ${path}: ${name}`);
    return name;
  });

const buildTree = (document: OpenApiDocument): PathNode => {
  const root = createNode();
  const prefix = getBasePath(document);
  for (const [path, item] of Object.entries(document.paths)) {
    const node = toSegments(`${prefix}${path}`).reduce(addSegment, root);
    for (const [method, operation] of Object.entries(item))
      if ('operationId' in operation)
        node.byMethod.set(method.toUpperCase(), {
          id: operation.operationId,
          route: `${prefix}${path}`,
          limits: requireLimits(path, operation['x-rate-limit'] ?? []),
        });
  }
  return root;
};

/** A segment takes precedence over a parameter, unless no path of the document continues that way. */
const findPath = (node: PathNode | undefined, segments: string[], index = 0): PathNode | undefined => {
  const { [index]: segment } = segments;
  if (node === undefined || segment === undefined) return node?.byMethod.size ? node : undefined;
  return (
    findPath(node.segments.get(segment), segments, index + 1) ?? findPath(node.parameter, segments, index + 1)
  );
};

/** Whether a path of the document is the given one or lies below it. */
const isReachable = (node: PathNode | undefined, [segment, ...others]: string[]): boolean => {
  if (node === undefined || segment === undefined) return node !== undefined;
  return isReachable(node.segments.get(segment), others) || isReachable(node.parameter, others);
};

/** Finds out whether the document has an operation at a path or below it. */
export const createOperationSearch = (document: OpenApiDocument) => {
  const root = buildTree(document);
  return (path: string): boolean => isReachable(root, toSegments(path));
};

/**
 * Reads the document's operations and their limits. A method that the path does not have, such as HEAD or
 * OPTIONS, counts towards the limits of all operations of the path. A request for an undocumented path has
 * only the overall limit.
 */
export const createOperationFinder = (document: OpenApiDocument) => {
  const root = buildTree(document);
  return (method: string, path: string): { limits: Limits; operation?: FoundOperation } => {
    const found = findPath(root, toSegments(path));
    if (found === undefined) return { limits: [] };
    const operation = found.byMethod.get(method);
    if (operation !== undefined) return { limits: operation.limits, operation };
    return { limits: [...new Set([...found.byMethod.values()].flatMap(({ limits }) => limits))] };
  };
};

export type OperationFinder = ReturnType<typeof createOperationFinder>;
