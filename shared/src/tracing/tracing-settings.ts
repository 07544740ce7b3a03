import type { SAMPLERS } from '../config/env.ts';

export type TracingSettings = {
  sampler: (typeof SAMPLERS)[number];
  /** Of the traces, for a sampler that takes a part of them. */
  ratio: number;
  /** How long spans are gathered before they are sent. */
  delayMilliseconds: number;
};

type Values = {
  OTEL_EXPORTER_OTLP_ENDPOINT: string | undefined;
  OTEL_SDK_DISABLED: boolean;
  OTEL_TRACES_SAMPLER: TracingSettings['sampler'];
  OTEL_TRACES_SAMPLER_ARG: number;
  OTEL_BSP_SCHEDULE_DELAY: number;
};

/** Undefined: no spans are made. */
export const toTracingSettings = (values: Values): TracingSettings | undefined =>
  values.OTEL_EXPORTER_OTLP_ENDPOINT === undefined || values.OTEL_SDK_DISABLED
    ? undefined
    : {
        sampler: values.OTEL_TRACES_SAMPLER,
        ratio: values.OTEL_TRACES_SAMPLER_ARG,
        delayMilliseconds: values.OTEL_BSP_SCHEDULE_DELAY,
      };
