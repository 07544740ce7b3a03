import { runRedisCommand } from '@platform/shared/testing/redis-server';

const SAMPLE_MILLISECONDS = 1_000;
const MEBIBYTE = 1_024 * 1_024;

const readMemory = async (redisUrl: string): Promise<number> => {
  const memory = String(await runRedisCommand(redisUrl, 'INFO', 'memory'));
  return Number(/^used_memory:(\d+)/m.exec(memory)?.[1]) / MEBIBYTE;
};

/** Samples the memory of Redis each second. */
export const watchMemory = (redisUrl: string) => {
  const samples: number[] = [];
  let isRunning = true;
  const sample = async (): Promise<void> => {
    while (isRunning) {
      samples.push(await readMemory(redisUrl));
      await new Promise((resolve) => setTimeout(resolve, SAMPLE_MILLISECONDS));
    }
  };
  const sampling = sample();
  return {
    /** The least and the most of the samples since the start, in MiB. */
    stop: async (): Promise<{ samples: number; least: number; most: number }> => {
      isRunning = false;
      await sampling;
      return { samples: samples.length, least: Math.min(...samples), most: Math.max(...samples) };
    },
  };
};
