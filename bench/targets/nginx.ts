import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { answers, type Defer, findPorts, HOST, startProcess } from './processes.ts';

export type Nginx = { version: string; url: string };

/** One worker, as the gateway is one process; connections to the service kept; no log. */
const configurationOf = (directory: string, port: number, upstream: string): string => `
worker_processes 1;
daemon off;
pid ${directory}/nginx.pid;
error_log ${directory}/error.log;
events { worker_connections 1024; }
http {
  access_log off;
  keepalive_requests 100000000;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${directory}/${name};`).join('\n  ')}
  upstream service {
    server ${upstream};
    keepalive 64;
    keepalive_requests 100000000;
  }
  server {
    listen ${HOST}:${port};
    location / {
      proxy_pass http://service;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $host;
      proxy_set_header X-Forwarded-For $remote_addr;
    }
  }
}
`;

/** nginx keeps its place in sbin on most systems, which is on no path but root's. */
const findNginx = async (): Promise<{ file: string; version: string }> => {
  for (const file of ['nginx', '/usr/sbin/nginx', '/usr/local/sbin/nginx']) {
    const found = await promisify(execFile)(file, ['-v']).catch(() => undefined);
    if (found) return { file, version: /nginx\/(\S+)/.exec(found.stderr)?.[1] ?? 'unknown' };
  }
  throw new Error('nginx not installed');
};

type Options = { upstreamUrl: string; directory: string; defer: Defer };

/** nginx in front of a service of ours. @throws Error when there is none */
export const startNginx = async ({ upstreamUrl, directory, defer }: Options): Promise<Nginx> => {
  const { file, version } = await findNginx();
  const own = join(directory, 'nginx');
  mkdirSync(own, { recursive: true });
  const [port = 0] = await findPorts(1);
  const url = `http://${HOST}:${port}`;
  const configuration = join(own, 'nginx.conf');
  writeFileSync(configuration, configurationOf(own, port, new URL(upstreamUrl).host));
  await startProcess(
    {
      name: 'nginx',
      command: {
        file,
        args: ['-p', own, '-e', `${own}/error.log`, '-c', configuration],
        env: process.env,
        cwd: own,
        logFile: `${directory}/nginx.log`,
      },
      isReady: () => answers(url),
      stopSeconds: 5,
    },
    defer,
  );
  return { version, url };
};
