import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path/posix';
import { type Document, isMap, type Node, Pair, parseDocument, Scalar, visit, YAMLMap, YAMLSeq } from 'yaml';

// Joins the contracts of the features, which are stored beside their code, into one document. It moves the
// nodes of the YAML, so that references, comments and the style of each value do not change.

type Entry = Pair<Scalar<string>, Node>;
type Mapping = YAMLMap<Scalar<string>, Node>;
/** The words that replace each placeholder by kind, such as `{ '{Kind}': { customer: 'Customer' } }`. */
type Placeholders = Record<string, Record<string, string>>;
/** The settings of a base file, which are not part of the joined document. */
type Settings = {
  'x-features': string[];
  'x-placeholders'?: Placeholders;
  'x-body-responses': Record<string, unknown>;
  'x-response-headers': Record<string, unknown>;
  /** The server of each path, by the tag of its operations. */
  'x-servers'?: Record<string, unknown>;
  /** Whether the document has copies of the components of other files, instead of references to them. */
  'x-standalone'?: boolean;
};
const SETTINGS: (keyof Settings)[] = [
  'x-features',
  'x-placeholders',
  'x-body-responses',
  'x-response-headers',
  'x-servers',
  'x-standalone',
];

const keyOf = ({ key }: Entry): string => key.value;
const capitalize = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

const isOfKind = ({ value }: Entry, kind: string): boolean => {
  const kinds = isMap(value) ? value.get('x-kinds') : undefined;
  return kinds === undefined || (kinds as Node).toJSON().includes(kind);
};

/**
 * Returns the entries of a mapping for one kind. The entries of `x-<kind>` are added to the common ones or
 * replace them.
 */
const selectEntries = (mapping: Mapping, kind: string, kinds: string[]): Entry[] => {
  const own = mapping.get(`x-${kind}`);
  const overrides = isMap(own) ? (own as Mapping).items : [];
  const ignored = ['x-kinds', ...kinds.map((each) => `x-${each}`)];
  return mapping.items.flatMap((entry) => {
    if (keyOf(entry) === `x-${kind}`) return overrides.filter((added) => !mapping.has(keyOf(added)));
    if (ignored.includes(keyOf(entry))) return [];
    return [overrides.find((override) => keyOf(override) === keyOf(entry)) ?? entry];
  });
};

/** Renames `signIn` to `customerSignIn`. Its handler keeps the name `signIn`, and gets the kind. */
const nameOperation = (mapping: Mapping, kind: string): void => {
  const place = mapping.items.findIndex((entry) => keyOf(entry) === 'operationId');
  const id = mapping.items[place]?.value;
  if (!(id instanceof Scalar)) return;
  const name = String(id.value);
  id.value = kind + capitalize(name);
  const extensions = Object.entries({ 'x-operation': name, 'x-kind': kind });
  const entries = extensions.map(([key, value]) => new Pair(new Scalar(key), new Scalar(value)));
  mapping.items.splice(place + 1, 0, ...entries);
};

/**
 * Expands the paths or components of a section. An entry with a placeholder in its name stands for one entry
 * for each kind (of its `x-kinds`). The operations of a kind are named with the kind: `signIn` becomes
 * `customerSignIn`.
 */
export const expandKinds = (section: Mapping, placeholders: Placeholders): Entry[] => {
  const kinds = [...new Set(Object.values(placeholders).flatMap(Object.keys))];
  const isTemplate = (entry: Entry) => Object.keys(placeholders).some((name) => keyOf(entry).includes(name));
  const replacePlaceholders = (scalar: Scalar, kind: string): void => {
    const { value } = scalar;
    if (typeof value !== 'string') return;
    const words = Object.entries(placeholders);
    scalar.value = words.reduce((text, [name, word]) => text.replaceAll(name, word[kind] ?? name), value);
    // Only the placeholder needed the quotes.
    if (scalar.value !== value && scalar.type === Scalar.QUOTE_SINGLE) delete scalar.type;
  };
  const expand = (kind: string): Entry[] => {
    const copy = section.clone() as Mapping;
    copy.items = copy.items.filter(isTemplate);
    visit(copy, {
      Map: (_, mapping) => {
        mapping.items = selectEntries(mapping as Mapping, kind, kinds);
        nameOperation(mapping as Mapping, kind);
      },
      Pair: (_, pair) => (isOfKind(pair as Entry, kind) ? undefined : visit.REMOVE),
      Scalar: (_, scalar) => replacePlaceholders(scalar, kind),
    });
    return copy.items.filter(({ value }) => !isMap(value) || value.items.length > 0);
  };
  return [...kinds.flatMap(expand), ...section.items.filter((entry) => !isTemplate(entry))];
};

const readDocument = async (file: string): Promise<Document> => {
  const document = parseDocument(await readFile(file, 'utf8'));
  if (document.errors[0]) throw new Error(`${file}: ${document.errors[0].message}`);
  return document;
};

const addFeature = async (document: Document, file: string, placeholders: Placeholders): Promise<void> => {
  const feature = await readDocument(file);
  const components = Object.keys(feature.toJS().components ?? {}).map((name) => ['components', name]);
  for (const path of [['paths'], ...components]) {
    const section = feature.getIn(path);
    if (!isMap(section)) continue;
    const entries = expandKinds(section as Mapping, placeholders);
    if (path[0] === 'paths' && entries[0]) entries[0].key.commentBefore = ` ${file}`;
    if (!document.hasIn(path)) document.setIn(path, new YAMLMap(document.schema));
    const joined = document.getIn(path) as Mapping;
    joined.flow = false;
    // This throws if another feature has a path or component with this name.
    for (const entry of entries) joined.add(entry);
  }
};

/** Adds the responses that all operations with a body have, in the order of the statuses. */
const addBodyResponses = (document: Document, added: Mapping): void =>
  visit(document.get('paths') as Mapping, {
    Map: (_, operation) => {
      const responses = operation.get('responses');
      if (!operation.has('requestBody') || !isMap(responses)) return;
      for (const entry of (added.clone() as Mapping).items) {
        const place = (responses as Mapping).items.findIndex((other) => keyOf(other) > keyOf(entry));
        responses.items.splice(place, 0, entry);
      }
    },
  });

/** Adds the headers that all responses have to each one. */
const addHeaders = (document: Document, headers: Mapping): void => {
  const addTo = (response: Mapping) => {
    const own = response.get('headers');
    const all = headers.clone() as Mapping;
    all.items.push(...(isMap(own) ? (own as Mapping).items : []));
    response.delete('headers');
    const place = response.items.findIndex((entry) => keyOf(entry) === 'description') + 1;
    response.items.splice(place, 0, new Pair(new Scalar('headers'), all));
  };
  visit(document, {
    Pair: (_, { key, value }) => {
      if (String(key) !== 'responses' || !isMap(value)) return;
      for (const { value: response } of (value as Mapping).items)
        if (isMap(response) && !response.has('$ref')) addTo(response as Mapping);
    },
  });
};

/** Names the server of each path. @throws Error for a path whose operations have several servers, or none */
const addServers = (document: Document, servers: Mapping): void => {
  for (const { key, value } of (document.get('paths') as Mapping).items) {
    const path = value as Mapping;
    const tags = new Set(path.items.map(({ value: operation }) => (operation as Mapping).getIn(['tags', 0])));
    const [tag] = tags;
    const server = servers.get(String(tag));
    if (tags.size !== 1 || !isMap(server)) throw new Error(`${key.value} has no server of its own`);
    const list = new YAMLSeq(document.schema);
    list.add(server.clone());
    path.items.unshift(new Pair(new Scalar('servers'), list));
  }
};

/** Copies the components of other files that the document refers to. Its own ones take precedence. */
const copyShared = async (document: Document, directory: string): Promise<void> => {
  const copyFrom = async (node: Node, file?: string): Promise<void> => {
    const references: Scalar[] = [];
    visit(node, {
      Pair: (_, { key, value }) => {
        if (String(key) === '$ref') references.push(value as Scalar);
      },
    });
    for (const reference of references) {
      const [, other = file, path = ''] = /^(?:\.\/(\w+\.yaml))?#\/(.+)$/.exec(String(reference.value)) ?? [];
      const keys = path.split('/');
      reference.value = `#/${path}`;
      if (other === undefined || document.hasIn(keys)) continue;
      const component = (await readDocument(join(directory, other))).getIn(keys) as Node;
      document.setIn(keys, component);
      await copyFrom(component, other);
    }
  };
  await copyFrom(document.contents as Node);
};

/**
 * Joins a base file and the features that it names. @param base the path relative to the working directory
 * @param schemas additional schemas
 */
export const joinFeatures = async (base: string, schemas: Record<string, unknown>): Promise<string> => {
  const document = await readDocument(base);
  const {
    'x-features': features,
    'x-placeholders': placeholders = {},
    ...settings
  }: Settings = document.toJS();
  const bodyResponses = document.get('x-body-responses') as Mapping;
  const headers = document.get('x-response-headers') as Mapping;
  const servers = document.get('x-servers');
  for (const name of SETTINGS) document.delete(name);
  for (const file of features) await addFeature(document, join(dirname(base), file), placeholders);
  for (const [name, schema] of Object.entries(schemas))
    document.setIn(['components', 'schemas', name], document.createNode(schema));
  addBodyResponses(document, bodyResponses);
  addHeaders(document, headers);
  if (isMap(servers)) addServers(document, servers as Mapping);
  if (settings['x-standalone']) await copyShared(document, dirname(base));
  document.commentBefore = ` Generated by \`npm run generate\` from ${base} and the features that it names: change those, not this file.`;
  return document.toString({ lineWidth: 0, singleQuote: true });
};
