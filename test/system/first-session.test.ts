import { runScript } from '@platform/shared/testing/process';
import { expect } from 'chai';
import { usePlatform } from './use-platform.ts';

describe('the example of README.md', () => {
  const platform = usePlatform();

  it('signs up, in and out, and reads the code of an error', async () => {
    const { code, output } = await runScript('examples/first-session/main.ts', [platform().gatewayUrl], {});
    expect(code, output).to.equal(0);
    expect(output).to.match(/^Ada is [\w-]{36}, with the roles CUSTOMER$/m);
    expect(output).to.match(/^401 INVALID_CREDENTIALS: .+ \(request [\w-]{36}\)$/m);
  });
});
