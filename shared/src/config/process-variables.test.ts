import { envDetector } from '@opentelemetry/resources';
import { expect } from 'chai';
import { ConfigError, readEnvironment } from './env.ts';
import { processVariables } from './process-variables.ts';

const read = (environment: Record<string, string>) => readEnvironment(environment, processVariables);

/** Parses the variable with the SDK; the result is empty if it is malformed. */
const readBySdk = (value: string) => {
  const { OTEL_RESOURCE_ATTRIBUTES: before } = process.env;
  process.env['OTEL_RESOURCE_ATTRIBUTES'] = value;
  try {
    return envDetector.detect().attributes;
  } finally {
    if (before === undefined) delete process.env['OTEL_RESOURCE_ATTRIBUTES'];
    else process.env['OTEL_RESOURCE_ATTRIBUTES'] = before;
  }
};

describe('Variables of every process', () => {
  it('accept the resource attributes that the SDK accepts, and no others', () => {
    for (const value of ['a=1', ' a.b = x y , c=%2C%3D,', 'a=', `a=${'x'.repeat(255)}`]) {
      expect(read({ OTEL_RESOURCE_ATTRIBUTES: value }).OTEL_RESOURCE_ATTRIBUTES).to.equal(value);
      expect(readBySdk(value), value).not.to.deep.equal({});
    }
    for (const value of ['foo', '=1', 'a=1=2', 'a=1,b', 'a=100%', `a=${'x'.repeat(256)}`]) {
      expect(() => read({ OTEL_RESOURCE_ATTRIBUTES: value }), value).to.throw(
        ConfigError,
        /^OTEL_RESOURCE_ATTRIBUTES must be a list of name=value/,
      );
      expect(readBySdk(value), value).to.deep.equal({});
    }
  });

  for (const [name, value] of [
    ['NODE_ENV', 'prod'],
    ['LOG_LEVEL', 'verbose'],
    ['DRAIN_SECONDS', '-1'],
    ['SHUTDOWN_SECONDS', ' '],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'grpc://collector:4317'],
    ['OTEL_SDK_DISABLED', 'perhaps'],
    ['OTEL_TRACES_SAMPLER', 'sometimes'],
    ['OTEL_TRACES_SAMPLER_ARG', '1.1'],
  ] as const)
    it(`reject ${name}=${value} and name it`, () => {
      expect(() => read({ [name]: value })).to.throw(ConfigError, new RegExp(`^${name} `));
    });
});
