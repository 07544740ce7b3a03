import { useMutation, useQuery } from '@tanstack/react-query';
import { waitFor } from '@testing-library/react/pure.js';
import { expect } from 'chai';
import { Button } from '../components/button.tsx';
import { StatusLine } from '../components/frame/status-line.tsx';
import { ErrorNotice } from '../components/notice.tsx';
import { useSayStatus } from '../components/status.tsx';
import { answer, listSent } from '../testing/contract.ts';
import { expectAnnouncement } from '../testing/expectations.ts';
import { press } from '../testing/screen.ts';
import { backOffice } from './back-office.ts';
import { renderConsole } from './testing/render-console.tsx';

const ID = '018f4f3a-0000-7000-8000-000000000001';

const Page = () => {
  const say = useSayStatus();
  useQuery({
    queryKey: ['users'],
    queryFn: () => backOffice.GET('/users/{id}', { params: { path: { id: ID } } }),
  });
  const block = useMutation({
    mutationFn: () => backOffice.PATCH('/users/{id}/block', { params: { path: { id: ID } } }),
    meta: { whether: 'whether Ada is blocked', invalidates: [['users']] },
    onSuccess: () => say('Ada is blocked.'),
  });
  return (
    <>
      <StatusLine />
      <Button onClick={() => block.mutate()}>Block</Button>
      <Button onClick={() => say('The link is copied.')}>Copy</Button>
      <ErrorNotice error={block.error} />
    </>
  );
};

describe('lost answer', () => {
  let requestId: string;
  const render = async () => {
    await renderConsole(<Page />);
    const { fetch } = globalThis;
    globalThis.fetch = ((request: Request) => {
      requestId = request.headers.get('X-Request-Id') ?? requestId;
      return fetch(request);
    }) as typeof fetch;
    answer('blockUser', 'unreachable');
  };
  const answerLog = (isDone: boolean, after?: Promise<unknown>) =>
    answer('listAuditLog', {
      ...(after && { after }),
      body: (page: { data: object[] }) => ({
        ...page,
        data: page.data.slice(0, 1).map((record) => ({ ...record, ...(isDone && { requestId }) })),
      }),
    });

  it('of a write that was carried out ends as a success, which says that it came late', async () => {
    await render();
    const asked = Promise.withResolvers<void>();
    answerLog(true, asked.promise);
    await press('Block');
    await expectAnnouncement('No answer. It is not known whether Ada is blocked.');
    asked.resolve();
    await expectAnnouncement('Ada is blocked. The answer came late.', 'status');
    expect(listSent('blockUser')).to.have.length(1);
    await press('Copy');
    await expectAnnouncement(/The link is copied\. *$/, 'status');
  });

  it('of a write that was not carried out says so, once the server has said it for some seconds', async () => {
    await render();
    answerLog(false);
    await press('Block');
    await expectAnnouncement('It is not known whether Ada is blocked.');
    await expectAnnouncement(/The server says that it was not done, as of \d\d:\d\d\. You can try again\./);
    expect(listSent('listAuditLog').length).to.be.greaterThan(1);
  });

  it('stays unknown for who may not read the audit log, and what is shown loads again', async () => {
    await render();
    await waitFor(() => expect(listSent('getUser')).to.have.length(1));
    answer('listAuditLog', { code: 'WORKSPACE_FORBIDDEN' });
    await press('Block');
    await expectAnnouncement('No answer. It is not known whether this was done.');
    await waitFor(() => expect(listSent('getUser')).to.have.length(2));
  });

  it('asks nothing if the browser was offline, and only then names the network', async () => {
    await render();
    Object.defineProperty(navigator, 'onLine', { value: false, configurable: true });
    try {
      await press('Block');
      await expectAnnouncement('Check your network.', 'status');
      expect(listSent('listAuditLog')).to.deep.equal([]);
    } finally {
      Reflect.deleteProperty(navigator, 'onLine');
    }
  });

  it('waits until the server answers again', async () => {
    await render();
    answer('listAuditLog', 'unreachable');
    await press('Block');
    await expectAnnouncement('It is not known whether Ada is blocked.');
    answerLog(true);
    await expectAnnouncement('Ada is blocked. The answer came late.', 'status');
  });
});
