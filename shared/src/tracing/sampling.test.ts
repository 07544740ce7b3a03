import { expect } from 'chai';
import { mayRecordChild } from './sampling.ts';
import { parseTraceparent } from './tracing.ts';

const parse = (flags: string) =>
  parseTraceparent(`00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-${flags}`);

describe('Sampling of child spans', () => {
  it('creates none without a trace, or in a trace that this process has not sampled', () => {
    const remote = parse('00');
    expect(mayRecordChild(undefined)).to.equal(false);
    expect(mayRecordChild(remote && { ...remote, isRemote: false })).to.equal(false);
  });

  it('leaves the trace of another process to the sampler, which may ignore its decision', () => {
    for (const flags of ['00', '01']) expect(mayRecordChild(parse(flags))).to.equal(true);
  });

  it('creates them in a sampled trace', () => {
    const remote = parse('01');
    expect(mayRecordChild(remote && { ...remote, isRemote: false })).to.equal(true);
  });
});
