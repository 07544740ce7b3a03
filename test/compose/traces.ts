import { waitFor } from '@platform/shared/testing/poll';
import type { Installation } from './installation.ts';
import { createClient } from './load.ts';
import { GATEWAY_URL } from './start.ts';

/** An OTLP endpoint that prints the name of the process of each span. */
const COLLECTOR = `require("node:http").createServer(async (request, response) => {
  let body = "";
  for await (const part of request) body += part;
  for (const [, name] of body.matchAll(/"service.name","value":."stringValue":"([^"]+)"/g)) console.log(name);
  response.end("{}");
}).listen(4318)`;

/** Expects spans at a new collector, to which OTEL_EXPORTER_OTLP_ENDPOINT of the installation refers. */
export const expectTraces = async ({ sh, project }: Installation): Promise<void> => {
  const name = `${project}-collector`;
  await sh(
    `docker run --detach --name ${name} --network ${project}_traces --network-alias otel-collector \\
      --entrypoint node marketplace/gateway:check --eval '${COLLECTOR}'`,
  );
  try {
    const auth = createClient(GATEWAY_URL);
    await auth.resetPasswordEmailCodeSend({ body: { email: (await auth.createAccount()).email } });
    await fetch(`${GATEWAY_URL}/api/v1/users`);
    await waitFor('spans of every process', async () => {
      const names = (await sh(`docker logs ${name}`)).split('\n');
      return ['gateway', 'auth-service', 'admin-service', 'mailer-worker'].every((each) =>
        names.includes(each),
      );
    });
  } finally {
    await sh(`docker rm --force ${name}`);
  }
};
