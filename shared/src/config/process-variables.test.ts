import { expect } from 'chai';
import { ConfigError, readEnvironment } from './env.ts';
import { processVariables } from './process-variables.ts';

const read = (environment: Record<string, string>) => readEnvironment(environment, processVariables);

describe('Variables of every process', () => {
  for (const [name, value] of [
    ['NODE_ENV', 'prod'],
    ['LOG_LEVEL', 'verbose'],
    ['DRAIN_SECONDS', '-1'],
    ['SHUTDOWN_SECONDS', ' '],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'grpc://collector:4317'],
    ['OTEL_SDK_DISABLED', 'perhaps'],
    ['OTEL_TRACES_SAMPLER', 'sometimes'],
    ['OTEL_TRACES_SAMPLER_ARG', '1.1'],
    ['OTEL_BSP_SCHEDULE_DELAY', '0'],
  ] as const)
    it(`reject ${name}=${value} and name it`, () => {
      expect(() => read({ [name]: value })).to.throw(ConfigError, new RegExp(`^${name} `));
    });
});
