/**
 * An I-Regexp (RFC 9485) as RE2 reads it: `.` stands for every character but line feed and carriage return,
 * where RE2's leaves out the line feed alone.
 */
export function translateIRegexp(source: string): string {
  let inClass = false;
  return source.replace(/\\.|[[\].]/gsu, (piece) => {
    if (piece === "[") inClass = true;
    else if (piece === "]") inClass = false;
    else if (piece === "." && !inClass) return "[^\\n\\r]";
    return piece;
  });
}
