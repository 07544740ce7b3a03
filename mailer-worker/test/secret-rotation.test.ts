import { uniqueEmail } from '@platform/shared/testing/builders';
import { expect } from 'chai';
import { CODE_SECRET } from './compose-worker.ts';
import { codeMail, useMailPlatform } from './mail-platform.ts';

const NEW_SECRET = 'the secret that has replaced the other one';

describe('When the secret of the codes is replaced', () => {
  const platform = useMailPlatform();

  it('Then a code that was sealed before is mailed all the same', async () => {
    const { enqueue, startWorker, untilSent, mailsTo } = platform();
    const to = uniqueEmail();
    await enqueue(codeMail(to, '042917'));
    await startWorker({ CODE_SECRET_KEY: NEW_SECRET, CODE_SECRET_KEY_PREVIOUS: CODE_SECRET });
    await untilSent(to);
    expect(mailsTo(to)[0]?.text).to.include('042917');
  });

  it('Then, while the services are switched one after another, a worker opens codes of both secrets', async () => {
    const { enqueue, startWorker, untilSent, mailsTo } = platform();
    const to = uniqueEmail();
    await startWorker({ CODE_SECRET_KEY_PREVIOUS: NEW_SECRET });
    await enqueue(codeMail(to, '042917'));
    await untilSent(to);
    expect(mailsTo(to)[0]?.text).to.include('042917');
  });

  it('Then, without the former one, the mail fails and says why, without the code', async () => {
    const { enqueue, startWorker, untilFailed, mailsTo } = platform();
    const to = uniqueEmail();
    const worker = await startWorker({ CODE_SECRET_KEY: NEW_SECRET });
    const id = await enqueue(codeMail(to, '042917'), { attempts: 1 });
    expect(await untilFailed(id)).to.include('another CODE_SECRET_KEY');
    expect(mailsTo(to)).to.deep.equal([]);
    expect(worker.logs()).not.to.include('042917');
  });
});
