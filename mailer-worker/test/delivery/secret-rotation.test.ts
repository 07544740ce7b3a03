import { uniqueEmail } from '@platform/shared/testing/builders';
import { expect } from 'chai';
import { CODE_SECRET } from '../test-worker.ts';
import { codeMail, useMailFixture } from './mail-fixture.ts';

const NEW_SECRET = 'the secret that has replaced the other one';

describe('code secret rotation', () => {
  const fixture = useMailFixture();

  it('mails a code that was encrypted with the previous secret', async () => {
    const { enqueue, startWorker, waitUntilSent, getMailsTo } = fixture();
    const to = uniqueEmail();
    await enqueue(codeMail(to, '042917'));
    await startWorker({ CODE_SECRET_KEY: NEW_SECRET, CODE_SECRET_KEY_PREVIOUS: CODE_SECRET });
    await waitUntilSent(to);
    expect(getMailsTo(to)[0]?.text).to.include('042917');
  });

  it('accepts codes of both secrets while the services are restarted one by one', async () => {
    const { enqueue, startWorker, waitUntilSent, getMailsTo } = fixture();
    const to = uniqueEmail();
    await startWorker({ CODE_SECRET_KEY_PREVIOUS: NEW_SECRET });
    await enqueue(codeMail(to, '042917'));
    await waitUntilSent(to);
    expect(getMailsTo(to)[0]?.text).to.include('042917');
  });

  it('fails with a reason that does not contain the code without the previous secret', async () => {
    const { enqueue, startWorker, waitUntilFailed, getMailsTo } = fixture();
    const to = uniqueEmail();
    const worker = await startWorker({ CODE_SECRET_KEY: NEW_SECRET });
    const id = await enqueue(codeMail(to, '042917'), { attempts: 1 });
    expect(await waitUntilFailed(id)).to.include('A sealed code was altered, or encrypted with another key');
    expect(getMailsTo(to)).to.deep.equal([]);
    expect(worker.logs()).not.to.include('042917');
  });
});
