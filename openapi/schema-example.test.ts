import { expect } from 'chai';
import { exampleOfMedia, exampleOfSchema, listExamples, resolveReference } from './schema-example.ts';

const DOCUMENT = {
  components: {
    schemas: {
      Id: { type: 'string', format: 'uuid' },
      Named: { type: 'object', properties: { name: { type: 'string', example: 'Ada' } } },
      Alias: { $ref: '#/components/schemas/Named' },
    },
    examples: { Ada: { value: { name: 'Ada' } } },
  },
};
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const example = (schema: object, path?: string) => exampleOfSchema(DOCUMENT, schema, path);

describe('example of a schema', () => {
  it('takes the value that the schema names', () => {
    expect(example({ type: 'string', example: 'a', default: 'b' })).to.equal('a');
    expect(example({ type: 'integer', default: 0, minimum: -1 })).to.equal(0);
    expect(example({ type: ['string', 'null'], example: null })).to.equal(null);
    expect(example({ const: 'ADMIN' })).to.equal('ADMIN');
    expect(example({ enum: ['A', 'B'] })).to.equal('A');
  });

  it('takes a value of the type where the schema names none', () => {
    expect(example({ type: 'integer', minimum: 3 })).to.equal(3);
    expect(example({ type: ['boolean', 'null'] })).to.equal(false);
    expect(example({ type: 'null' })).to.equal(null);
    expect(example({ type: 'string', minLength: 12 })).to.have.length(12);
    expect(example({ type: 'array', items: { type: 'integer' } })).to.deep.equal([1]);
    expect(example({ type: 'object' })).to.deep.equal({});
  });

  it('follows references and merges the parts of allOf', () => {
    expect(example(ref('Alias'))).to.deep.equal({ name: 'Ada' });
    const extended = { allOf: [ref('Alias'), { type: 'object', properties: { age: { type: 'integer' } } }] };
    expect(example(extended)).to.deep.equal({ name: 'Ada', age: 1 });
    expect(example({ oneOf: [ref('Named'), { type: 'null' }] })).to.deep.equal({ name: 'Ada' });
    expect(() => example(ref('Missing'))).to.throw('#/components/schemas/Missing does not exist');
  });

  it('contains ids that depend on their place only', () => {
    const id = example(ref('Id'), 'getUser/id');
    expect(id).to.match(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(example(ref('Id'), 'getUser/id')).to.equal(id);
    expect(example(ref('Id'), 'getUser/userId')).not.to.equal(id);
  });
});

describe('example of a media type', () => {
  it('takes precedence over that of the schema', () => {
    const media = { schema: ref('Named'), example: { name: 'Grace' } };
    expect(exampleOfMedia(DOCUMENT, media)).to.deep.equal({ name: 'Grace' });
    expect(exampleOfMedia(DOCUMENT, { schema: ref('Named') })).to.deep.equal({ name: 'Ada' });
  });

  it('takes the first of the named ones, which may be references', () => {
    const examples = { ada: { $ref: '#/components/examples/Ada' }, grace: { value: { name: 'Grace' } } };
    expect(exampleOfMedia(DOCUMENT, { examples })).to.deep.equal({ name: 'Ada' });
    expect(listExamples(DOCUMENT, { examples })).to.deep.equal([
      ['ada', { name: 'Ada' }],
      ['grace', { name: 'Grace' }],
    ]);
    expect(resolveReference(DOCUMENT, examples.ada)).to.deep.equal({ value: { name: 'Ada' } });
  });
});
