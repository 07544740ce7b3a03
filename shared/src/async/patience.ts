/**
 * How long a process may take to start or to stop. Beside other work, a service compiles for more than a minute
 * when the compile cache is empty. Containers have the same time (`start_period` in docker-compose.yml).
 */
export const PROCESS_SECONDS = 180;

/** A stack starts its engines before its services, and stops them after its services. */
export const STACK_SECONDS = 2 * PROCESS_SECONDS;
