import { expect } from 'chai';
import { compareSchemas } from './compare-schemas.ts';
import type { Direction, Schema } from './openapi-types.ts';

/** The reports for schemas without references. */
const compare = (direction: Direction, old: Schema, now: Schema): string[] => {
  const found: string[] = [];
  const report = (where: string, change: string) => found.push(`${where}: ${change}`);
  compareSchemas(old, now, { direction, before: (part) => part, after: (part) => part, report }, '');
  return found;
};

const text = { type: 'string' };
const thing = (kinds: string[], properties: Schema = {}): Schema => ({
  type: 'object',
  required: ['kind'],
  properties: { kind: { type: 'string', enum: kinds }, ...properties },
});
const NEW = thing(['new'], { label: text });
const OLD = thing(['old'], { label: text, age: { type: 'integer' } });
const LOST = thing(['lost']);
const oneOf = (...schemas: Schema[]): Schema => ({
  oneOf: schemas,
  discriminator: { propertyName: 'kind' },
});

describe('comparison of alternatives', () => {
  it('pairs alternatives by the discriminator, in whatever order', () => {
    for (const direction of ['request', 'response'] as const)
      expect(compare(direction, oneOf(NEW, OLD), oneOf(OLD, NEW))).to.deep.equal([]);
  });

  it('reports a change of an alternative', () => {
    const changed = thing(['old'], { label: { type: 'integer' }, age: { type: 'integer' } });
    expect(compare('response', oneOf(NEW, OLD), oneOf(changed, NEW))).to.deep.equal([
      '/label: type was "string" and is "integer"',
    ]);
  });

  it('reports a removed alternative of a request and an added one of a response', () => {
    const two = oneOf(NEW, OLD);
    const three = oneOf(LOST, NEW, OLD);
    expect(compare('request', three, two)).to.deep.equal([': oneOf had 3 schemas and has 2']);
    expect(compare('response', two, three)).to.deep.equal([': oneOf had 2 schemas and has 3']);
    expect(compare('request', two, three)).to.deep.equal([]);
    expect(compare('response', three, two)).to.deep.equal([]);
  });

  it('reports a replaced alternative, although their number is the same', () => {
    for (const direction of ['request', 'response'] as const)
      expect(compare(direction, oneOf(NEW, OLD), oneOf(NEW, LOST))).to.deep.equal([
        ': oneOf had 2 schemas and has 2',
      ]);
  });

  it('reports that a request must match exactly one alternative instead of any', () => {
    const [some, one] = [{ anyOf: [NEW, OLD] }, { oneOf: [NEW, OLD] }];
    expect(compare('request', some, one).join()).to.include('anyOf became oneOf');
    expect(compare('response', some, one)).to.deep.equal([]);
  });

  describe('in place of a single schema', () => {
    const single = thing(['new', 'old'], { label: text });

    it('accepts alternatives of a response that each have what the schema had', () => {
      expect(compare('response', single, oneOf(NEW, OLD))).to.deep.equal([]);
    });

    it('reports a property that an alternative lacks, and a value that no alternative has', () => {
      expect(compare('response', single, oneOf(NEW, thing(['old'])))).to.deep.equal(['/label: was removed']);
      expect(compare('response', single, oneOf(NEW)).join()).to.include('"old" was removed');
    });

    it('accepts alternatives of a request if one of them accepts what the schema did', () => {
      expect(compare('request', text, { anyOf: [{ type: 'integer' }, text] })).to.deep.equal([]);
      expect(compare('request', text, { anyOf: [{ type: 'integer' }, { type: 'boolean' }] })).to.have.length(
        1,
      );
    });
  });

  describe('replaced by a single schema', () => {
    const optional = { anyOf: [NEW, { type: 'null' }] };

    it('accepts a response that is one of the alternatives', () => {
      expect(compare('response', optional, NEW)).to.deep.equal([]);
      expect(compare('response', optional, { type: 'null' })).to.deep.equal([]);
      expect(compare('response', optional, text)).not.to.deep.equal([]);
    });

    it('reports a request for which one of the alternatives is no longer valid', () => {
      expect(compare('request', optional, NEW)).to.include(': type was "null" and is "object"');
    });
  });
});
