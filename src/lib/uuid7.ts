// UUIDs as text, safe in a URL.

/** Version 7 from a clock and sixteen random bytes: sortable by time. */
export function uuid7(nowMs: number, random: Uint8Array): string {
  const bytes = Uint8Array.from(random.subarray(0, 16));
  let rest = nowMs;
  for (let i = 5; i >= 0; i--) {
    bytes[i] = rest % 256;
    rest = Math.floor(rest / 256);
  }
  return toUuid(bytes, 7);
}

/** The first sixteen bytes, with the version and the variant (RFC 9562). */
export function toUuid(bytes: Uint8Array, version: 7 | 8): string {
  const own = Uint8Array.from(bytes.subarray(0, 16));
  own[6] = (version << 4) | ((own[6] ?? 0) & 0x0f);
  own[8] = 0x80 | ((own[8] ?? 0) & 0x3f);
  const hex = Array.from(own, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
