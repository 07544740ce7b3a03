import {
  CONTRACTS,
  listOperations,
  loadContract,
  type Schema,
} from '@platform/shared/testing/openapi-operations';
import { expect } from 'chai';

const listObjects = (schema: Schema): Schema[] => [
  ...(schema.properties ? [schema] : []),
  ...Object.values(schema.properties ?? {}).flatMap(listObjects),
  ...(schema.items ? listObjects(schema.items) : []),
  ...[...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap(listObjects),
];

const loadPublished = async () =>
  (await Promise.all(CONTRACTS.map(async (name) => listOperations(name, await loadContract(name))))).flat();

describe('undeclared fields', () => {
  it('of requests are forbidden by the document of the back office, which rejects them, and by no other', async () => {
    for (const { name, body } of await loadPublished())
      for (const { additionalProperties } of body ? listObjects(body.schema) : [])
        expect(additionalProperties, name).to.equal(name.startsWith('admin/') ? false : undefined);
  });

  it('of responses are allowed, so that a later release may add fields', async () => {
    for (const { name, responses } of await loadPublished()) {
      const schemas = Object.values(responses).flatMap(
        ({ content }) => content?.['application/json'].schema ?? [],
      );
      for (const { additionalProperties } of schemas.flatMap(listObjects))
        expect(additionalProperties, name).not.to.equal(false);
    }
  });
});
