/**
 * Translates an I-Regexp (RFC 9485) to RE2: `.` matches every character except line feed and carriage return, whereas
 * RE2 excludes the line feed only.
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
