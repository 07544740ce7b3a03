import { expect } from 'chai';
import { createMayRecordChild } from './tracer.ts';
import { parseTraceparent } from './tracing.ts';

const parse = (flags: string) =>
  parseTraceparent(`00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-${flags}`);
const parseLocal = (flags: string) => {
  const remote = parse(flags);
  return remote && { ...remote, isRemote: false };
};

for (const followsParent of [true, false]) {
  const mayRecordChild = createMayRecordChild(followsParent);

  describe(`sampling of child spans that ${followsParent ? 'follows' : 'does not follow'} the parent`, () => {
    it('creates none without a trace, or in a trace that this process did not sample', () => {
      for (const parent of [undefined, parseLocal('00')]) expect(mayRecordChild(parent)).to.equal(false);
    });

    it('creates them in a sampled trace', () => {
      for (const parent of [parse('01'), parseLocal('01')]) expect(mayRecordChild(parent)).to.equal(true);
    });

    it(`${followsParent ? 'creates none' : 'lets the sampler decide'} in an unsampled trace of another process`, () => {
      expect(mayRecordChild(parse('00'))).to.equal(!followsParent);
    });
  });
}
