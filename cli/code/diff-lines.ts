/** Lines before and after what differs. */
const context = 1;
const maxLines = 40;

/** The lines of two texts from the first to the last that differ: `- before`, `+ after`, and one line around them. */
export function diffLines(before: string, after: string): string[] {
  const [left, right] = [before.split("\n"), after.split("\n")];
  let start = 0;
  while (start < left.length && start < right.length && left[start] === right[start]) start += 1;
  let end = 0;
  const limit = Math.min(left.length, right.length) - start;
  while (end < limit && left[left.length - 1 - end] === right[right.length - 1 - end]) end += 1;
  const lines = [
    ...left.slice(Math.max(0, start - context), start).map((line) => `  ${line}`),
    ...left.slice(start, left.length - end).map((line) => `- ${line}`),
    ...right.slice(start, right.length - end).map((line) => `+ ${line}`),
    ...left.slice(left.length - end, left.length - end + context).map((line) => `  ${line}`),
  ];
  const others = lines.length - maxLines;
  return others > 0 ? [...lines.slice(0, maxLines), `and ${others} more lines`] : lines;
}
