import { runCli } from '@platform/shared/config/cli';
import { readConfig } from './config.ts';
import { postAsPerson } from './requests.ts';

// Signs up the account of the probe (docs/deployment.md).
await runCli(async () => {
  const { url, account } = readConfig(process.env);
  await postAsPerson(url, '/customers/auth/sign-up', [201], account);
  return `Signed up ${account.email}.`;
});
