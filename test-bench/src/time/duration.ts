import { validationFailed } from '@platform/shared/errors/app-error';

/** Years and months have no fixed length. */
const DURATION = /^P(?=.)(?:(\d+)D)?(?:T(?=.)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/;
const UNIT_SECONDS = [86_400, 3_600, 60, 1];
const MAX_SECONDS = 400 * 86_400;

/** Returns the seconds of an ISO 8601 duration. @throws AppError 400 VALIDATION_FAILED */
export const parseDuration = (text: string): number => {
  const parts = DURATION.exec(text)?.slice(1);
  const seconds = parts?.reduce(
    (sum, part, index) => sum + Number(part ?? 0) * (UNIT_SECONDS[index] ?? 0),
    0,
  );
  if (seconds !== undefined && seconds <= MAX_SECONDS) return seconds;
  const message = 'must be an ISO 8601 duration of at most P400D, in days, hours, minutes and seconds';
  throw validationFailed('The duration is not valid', [{ path: '/body/by', message, rule: 'format' }]);
};
