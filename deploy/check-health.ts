// HEALTHCHECK of the images, which have no curl: asks the operations port of the process in the same container.
// node deploy/check-health.ts <variable of the port> <the port if that is unset> <path>
const { env } = process;
const [variable = '', fallback = '', path = '/healthz'] = process.argv.slice(2);
const isAny = [undefined, '', '0.0.0.0', '::'].includes(env['HOST']);
const host = isAny ? '127.0.0.1' : String(env['HOST']);
const port = env[variable] || fallback;

try {
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}${path}`;
  const answer = await fetch(url, { signal: AbortSignal.timeout(2_000) });
  process.stdout.write(`${answer.status} ${await answer.text()}\n`);
  process.exitCode = answer.ok ? 0 : 1;
} catch (error) {
  process.stdout.write(`${error instanceof Error ? (error.cause ?? error) : error}\n`);
  process.exitCode = 1;
}
