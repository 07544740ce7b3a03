import type { HttpResponse } from '@platform/shared/testing/http-client';
import { expect } from 'chai';
import { checkTestBench } from './response-rules.ts';

describe('check:deployed', () => {
  const respond = (headers: HttpResponse['headers']) => ({ failure: undefined, headers }) as HttpResponse;

  it('fails at a test bench, and with --test-bench at what is none', () => {
    const [bench, other] = [respond({ 'x-test-bench': 'on' }), respond({})];
    expect(checkTestBench(bench, false)).to.have.length(1);
    expect(checkTestBench(other, true)).to.have.length(1);
    expect([...checkTestBench(bench, true), ...checkTestBench(other, false)]).to.deep.equal([]);
  });
});
