const days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** The local time of a moment written with its offset: `Mon 26 Oct 2026, 07:00`. */
export function formatWall(local: string): string {
  const date = new Date(`${local.slice(0, 10)}T00:00:00Z`);
  const day = `${days[date.getUTCDay()]} ${date.getUTCDate()} ${months[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
  const seconds = local.slice(17, 19);
  return `${day}, ${local.slice(11, 16)}${seconds === "00" ? "" : `:${seconds}`}`;
}
