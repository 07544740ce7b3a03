import { loadOperations, type Schema } from '@platform/shared/testing/openapi-operations';
import { expect } from 'chai';

const listObjects = (schema: Schema): Schema[] => [
  ...(schema.properties ? [schema] : []),
  ...Object.values(schema.properties ?? {}).flatMap(listObjects),
  ...(schema.items ? listObjects(schema.items) : []),
];

describe('undeclared fields of request bodies', () => {
  it('are forbidden by the document of the back office, which rejects them, and by no other', async () => {
    for (const { name, body } of await loadOperations())
      for (const { additionalProperties } of body ? listObjects(body.schema) : [])
        expect(additionalProperties, name).to.equal(name.startsWith('admin/') ? false : undefined);
  });
});
