import { startFakeSmtpServer } from '@platform/dev/testing/fake-smtp-server';
import { type AuthClient, createAuthClient, type Kind } from '@platform/shared/testing/auth-client';
import { createRecords, type Records } from '@platform/shared/testing/records';
import { sharedStack } from '@platform/shared/testing/shared-stack';
import { type RunningStack, type StackFile, startStack } from '@platform/shared/testing/stack';
import { useRunning } from '@platform/shared/testing/use-running';

type Platform = {
  running: RunningStack;
  stack: StackFile;
  gatewayUrl: string;
  /** The client of a kind of accounts at the gateway. */
  as: (kind: Kind) => AuthClient;
  records: Records;
};

const openPlatform = (running: RunningStack): Platform => {
  const { stack } = running;
  const { gatewayUrl } = stack;
  const records = createRecords(stack.databaseUrl);
  const as: Platform['as'] = (kind) => createAuthClient(gatewayUrl, kind, undefined, records);
  return { running, stack, gatewayUrl, as, records };
};

/**
 * The stack that all workers share, or one of its own for tests that another worker's writes would disturb,
 * for the tests of one `describe`. The records are closed after them.
 */
export const usePlatform = ({ isShared = true } = {}): (() => Platform) =>
  useRunning(async () => {
    const platform = openPlatform(await (isShared ? sharedStack() : startStack()));
    const stop = async (): Promise<void> => {
      await platform.records.close();
      if (!isShared) await platform.running.stop();
    };
    return { ...platform, stop };
  });

/** A stack of its own that sends its mails to the test. */
export const usePlatformWithMails = () =>
  useRunning(async () => {
    const smtp = await startFakeSmtpServer();
    const platform = openPlatform(await startStack({ SMTP_URL: smtp.url }));
    const stop = async (): Promise<void> => {
      await platform.records.close();
      await platform.running.stop();
      await smtp.stop();
    };
    return { ...platform, smtp, stop };
  });
