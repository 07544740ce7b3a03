import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { RequestHandler } from 'express';

/** Browsers keep the documentation and its files for an hour, and then ask whether they have changed. */
const AN_HOUR = 'public, max-age=3600';
/** The policy of files whose name contains a hash of their content. */
export const FOR_EVER = 'public, max-age=31536000, immutable';
/** Browsers ask at each use whether it has changed. */
export const ASK_ALWAYS = 'no-cache';

/** No page uses these features of the device. Every HTML page sends this as `Permissions-Policy`. */
export const PERMISSIONS_POLICY = [
  ...['accelerometer', 'camera', 'display-capture', 'geolocation', 'gyroscope'],
  ...['magnetometer', 'microphone', 'midi', 'payment', 'usb'],
]
  .map((feature) => `${feature}=()`)
  .join(', ');

type Representation = { bytes: Buffer; etag: string };

const toRepresentation = (bytes: Buffer): Representation => ({
  bytes,
  etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
});

/** Calls the function once, at the first request, so that a process starts fast. */
const once = <Value>(create: () => Value): (() => Value) => {
  let created: { value: Value } | undefined;
  return () => {
    created ??= { value: create() };
    return created.value;
  };
};

/**
 * Sends bytes that stay the same while the process runs. They are compressed once, for clients that accept it,
 * because compressing a large file for each request would let a client keep the process busy. Express responds
 * with 304 to the ETag that the client has.
 * @param type a MIME type, or a file name with its extension
 * @param brotli the same bytes in Brotli, which would take half a second to compress here
 */
export const sendStatic = (
  type: string,
  read: () => Buffer | string,
  cacheControl = AN_HOUR,
  brotli?: Buffer,
): RequestHandler => {
  const plain = once(() => toRepresentation(Buffer.from(read())));
  const compressed = {
    ...(brotli && { br: once(() => toRepresentation(brotli)) }),
    gzip: once(() => toRepresentation(gzipSync(plain().bytes, { level: 9 }))),
  };
  return (req, res) => {
    // Each is asked for by itself: among several, Express takes the one that the client happens to name first.
    const accepted = Object.entries(compressed).find(
      ([encoding]) => req.acceptsEncodings(encoding, 'identity') === encoding,
    );
    const [encoding, representation] = accepted ?? [undefined, plain];
    const { bytes, etag } = representation();
    if (encoding) res.set('Content-Encoding', encoding);
    res.type(type).set({ 'Cache-Control': cacheControl, ETag: etag }).vary('Accept-Encoding').send(bytes);
  };
};
