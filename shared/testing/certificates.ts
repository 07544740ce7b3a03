import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const hasOpenssl = (): boolean => spawnSync('openssl', ['version']).status === 0;

type Certificates = {
  /** The paths of the files. */
  ca: string;
  certificate: string;
  key: string;
  remove: () => Promise<void>;
};

const NEW_KEY = '-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -batch';

/** Creates a private CA, and a server certificate for 127.0.0.1 that the CA has signed. */
export const createCertificates = async (): Promise<Certificates> => {
  const directory = await mkdtemp(join(tmpdir(), 'platform-certificates-'));
  const file = (name: string) => join(directory, name);
  const openssl = (command: string) =>
    execFileSync('openssl', command.split(' '), { cwd: directory, stdio: 'pipe' });
  openssl(`req -x509 ${NEW_KEY} -subj /CN=Test-CA -days 2 -keyout ca.key -out ca.crt`);
  openssl(`req ${NEW_KEY} -subj /CN=127.0.0.1 -keyout server.key -out server.csr`);
  writeFileSync(file('names'), 'subjectAltName=IP:127.0.0.1');
  const sign = '-CA ca.crt -CAkey ca.key -CAcreateserial -extfile names -days 2';
  openssl(`x509 -req -in server.csr ${sign} -out server.crt`);
  return {
    ca: file('ca.crt'),
    certificate: file('server.crt'),
    key: file('server.key'),
    remove: () => rm(directory, { recursive: true, force: true }),
  };
};
