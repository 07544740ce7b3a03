// PostgreSQL and Valkey for a worker of the tests, which they end with. Prints their URLs.
import { startTestPostgres } from './test-postgres.ts';
import { startTestValkey } from './test-valkey.ts';

const [postgres, valkey] = await Promise.all([startTestPostgres(), startTestValkey()]);
console.log(
  JSON.stringify({ databaseUrl: postgres.url, databaseUrls: postgres.processUrls, redisUrl: valkey.url }),
);
process.once('SIGTERM', async () => {
  await Promise.all([postgres.stop(), valkey.stop()]);
  process.exit();
});
