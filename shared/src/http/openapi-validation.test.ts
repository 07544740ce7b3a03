import { expect } from 'chai';
import type { OpenApiDocument } from './openapi-document.ts';
import { replaceSchemaExtensions } from './openapi-validation.ts';

const document = (schema: object): OpenApiDocument => ({
  openapi: '3.1.0',
  info: { title: 'Test', version: '1' },
  servers: [],
  paths: {},
  components: { schemas: { Text: { type: 'string', ...schema } as never } },
});

/** Whether the format that replaced the extensions of the schema accepts the text. */
const accepts = (schema: object, text: string): boolean | undefined => {
  const { formats } = replaceSchemaExtensions(document(schema));
  const [format] = Object.values(formats);
  return format?.validate(text);
};

describe('schema extensions', () => {
  it('x-max-bytes limits the bytes of UTF-8', () => {
    expect(accepts({ 'x-max-bytes': 4 }, 'абв')).to.equal(false);
    expect(accepts({ 'x-max-bytes': 4 }, 'аб')).to.equal(true);
  });

  it('x-trim limits the characters without the white space around them', () => {
    const schema = { 'x-trim': true, maxLength: 2 };
    expect(accepts(schema, '  🚀🚀\t')).to.equal(true);
    expect(accepts(schema, 'abc')).to.equal(false);
    expect(accepts(schema, 'a b')).to.equal(false);
    expect(accepts({ 'x-trim': true }, 'abc')).to.equal(true);
  });

  it('become formats in a copy, which keeps the other limits', () => {
    const original = document({ 'x-max-bytes': 72, minLength: 8, maxLength: 72, format: 'password' });
    const before = structuredClone(original);
    const { document: copy, formats } = replaceSchemaExtensions(original);
    expect(original).to.deep.equal(before);
    const [name] = Object.keys(formats);
    expect(copy.components['schemas']?.['Text']).to.include({ minLength: 8, maxLength: 72, format: name });
  });

  it('leave other schemas unchanged', () => {
    const original = document({ maxLength: 5, format: 'uuid' });
    expect(replaceSchemaExtensions(original)).to.deep.equal({ document: original, formats: {} });
  });
});
