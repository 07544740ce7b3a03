import { expect } from 'chai';
import { getSite } from './recipe-site.ts';

describe('recipes', () => {
  it('compile in strict mode with the packed client', async () => {
    const { project } = await getSite();
    expect(await project.npm('run', 'types')).not.to.include('error');
  });

  it('reject a mock that differs from the documents', async () => {
    const { project } = await getSite();
    await project.write(
      'msw/wrong-mock.ts',
      `import { http } from './handlers.ts';
      export const handler = http.get('/customers/auth/me', ({ response }) => response(200).json({ usr: 1 }));`,
    );
    const failure = await project.npm('run', 'types').then(
      () => undefined,
      (error: { stdout: string }) => error.stdout,
    );
    expect(failure).to.match(/wrong-mock\.ts\(\d+,\d+\): error TS\d+/);
    await project.write('msw/wrong-mock.ts', '');
  });

  it('test a function of a frontend with MSW', async () => {
    const { project } = await getSite();
    const output = await project.node('--test', 'msw/greet.test.ts');
    expect(output)
      .to.match(/^ℹ pass 2$/m)
      .and.to.match(/^ℹ fail 0$/m);
  });
});
