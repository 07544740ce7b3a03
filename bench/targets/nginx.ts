import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Defer, findPorts, HOST, responds, startProcess } from './processes.ts';

/** `loggedUrl` is of the server with an access log. */
export type Nginx = { version: string; url: string; loggedUrl: string };

/** One worker, because the gateway is one process; keep-alive connections to the service; a server with and one without log. */
const toServer = (port: number, accessLog: string): string => `
  server {
    listen ${HOST}:${port};
    access_log ${accessLog};
    location / {
      proxy_pass http://service;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $host;
      proxy_set_header X-Forwarded-For $remote_addr;
    }
  }`;

const toConfiguration = (directory: string, servers: readonly string[], upstream: string): string => `
worker_processes 1;
daemon off;
pid ${directory}/nginx.pid;
error_log ${directory}/error.log;
events { worker_connections 1024; }
http {
  keepalive_requests 100000000;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${directory}/${name};`).join('\n  ')}
  upstream service {
    server ${upstream};
    keepalive 64;
    keepalive_requests 100000000;
  }
  ${servers.join('\n')}
}
`;

/** Most systems install nginx in sbin, which is only on root's PATH. */
const findNginx = async (): Promise<{ file: string; version: string }> => {
  for (const file of ['nginx', '/usr/sbin/nginx', '/usr/local/sbin/nginx']) {
    const found = await promisify(execFile)(file, ['-v']).catch(() => undefined);
    if (found) return { file, version: /nginx\/(\S+)/.exec(found.stderr)?.[1] ?? 'unknown' };
  }
  throw new Error('nginx not installed');
};

type Options = { directory: string; defer: Defer };

/** nginx in front of one of the services. @throws Error when it is not installed */
export const startNginx = async (upstreamUrl: string, { directory, defer }: Options): Promise<Nginx> => {
  const { file, version } = await findNginx();
  const workDirectory = join(directory, 'nginx');
  mkdirSync(workDirectory, { recursive: true });
  const [port = 0, loggedPort = 0] = await findPorts(2);
  const url = `http://${HOST}:${port}`;
  const servers = [toServer(port, 'off'), toServer(loggedPort, `${workDirectory}/access.log`)];
  const configuration = join(workDirectory, 'nginx.conf');
  writeFileSync(configuration, toConfiguration(workDirectory, servers, new URL(upstreamUrl).host));
  await startProcess(
    {
      name: 'nginx',
      command: {
        file,
        args: ['-p', workDirectory, '-e', `${workDirectory}/error.log`, '-c', configuration],
        env: process.env,
        cwd: workDirectory,
        logFile: `${directory}/nginx.log`,
      },
      isReady: () => responds(url),
      stopSeconds: 5,
    },
    defer,
  );
  return { version, url, loggedUrl: `http://${HOST}:${loggedPort}` };
};
