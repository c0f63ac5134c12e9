import { plural } from "~/ui/count/plural";

/** `812 bytes`, `23.4 KiB`, `1.1 MiB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return plural(bytes, "byte");
  const [size, unit] = bytes < 1024 * 1024 ? [bytes / 1024, "KiB"] : [bytes / 1024 / 1024, "MiB"];
  return `${size >= 100 ? Math.round(size) : size.toFixed(1)} ${unit}`;
}
