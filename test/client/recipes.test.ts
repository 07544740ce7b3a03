import { expect } from 'chai';
import { getSite } from './recipe-site.ts';

describe('recipes', () => {
  it('compile in strict mode with the packed client', async () => {
    const { project } = await getSite();
    expect(await project.npm('run', 'types')).not.to.include('error');
  });

  it('test a function of a frontend with MSW', async () => {
    const { project } = await getSite();
    const output = await project.node('--test', 'msw/greet.test.ts');
    expect(output)
      .to.match(/^ℹ pass 2$/m)
      .and.to.match(/^ℹ fail 0$/m);
  });
});
