// PostgreSQL and Valkey for a worker of the tests, which they end with. Prints their URLs.
import { startTestPostgres } from './test-postgres.ts';
import { startTestValkey } from './test-valkey.ts';

const engines = [startTestPostgres(), startTestValkey()] as const;

const stop = async (): Promise<void> => {
  const started = await Promise.allSettled(engines);
  await Promise.all(started.map((engine) => engine.status === 'fulfilled' && engine.value.stop()));
  process.exit();
};

// A signal during the start, or a second one, must not end this process before PostgreSQL.
process.on('SIGTERM', () => undefined).once('SIGTERM', () => void stop());

const [postgres, valkey] = await Promise.all(engines);
console.log(
  JSON.stringify({ databaseUrl: postgres.url, databaseUrls: postgres.processUrls, redisUrl: valkey.url }),
);
