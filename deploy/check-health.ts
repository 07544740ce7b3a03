// HEALTHCHECK of the images, which have no curl: requests a path from the operations port of the process in this container.
// node deploy/check-health.ts <port variable> <default port> <path>
const { env } = process;
const [variable = '', fallback = '', path = '/healthz'] = process.argv.slice(2);
const isWildcard = [undefined, '', '0.0.0.0', '::'].includes(env['HOST']);
const host = isWildcard ? '127.0.0.1' : String(env['HOST']);
const port = env[variable] || fallback;

try {
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}${path}`;
  const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
  process.stdout.write(`${response.status} ${await response.text()}\n`);
  process.exitCode = response.ok ? 0 : 1;
} catch (error) {
  process.stdout.write(`${error instanceof Error ? (error.cause ?? error) : error}\n`);
  process.exitCode = 1;
}
