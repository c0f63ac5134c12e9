import type { Phases } from "#contracts/test-executioner/attempts.ts";

const phaseNames = [
  ["blocked", "Waiting for a connection"],
  ["dns", "DNS lookup"],
  ["connect", "Connecting"],
  ["tls", "TLS handshake"],
  ["send", "Sending"],
  ["wait", "Waiting for the response"],
  ["receive", "Receiving"],
] as const;

/** The phases in sequence; those that a reused connection skips are left out. */
export function phaseRows(phases: Phases): { name: string; startMilliseconds: number; durationMilliseconds: number }[] {
  let start = 0;
  const rows = [];
  for (const [phase, name] of phaseNames) {
    const durationMilliseconds = phases[phase];
    if (durationMilliseconds > 0) rows.push({ name, startMilliseconds: start, durationMilliseconds });
    start += durationMilliseconds;
  }
  return rows;
}

/** Bytes in the unit that keeps the figure short: `812 B`, `1.4 KB`, `1.0 MB` (of 1,024). */
export function formatBytes(bytes: number): string {
  if (bytes < 1_024) return `${bytes} B`;
  const kilobytes = bytes / 1_024;
  return kilobytes < 1_000 ? `${kilobytes.toFixed(1)} KB` : `${(kilobytes / 1_024).toFixed(1)} MB`;
}
