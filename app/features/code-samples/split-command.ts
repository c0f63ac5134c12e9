import { split } from "shlex";

/** Splits a command into words as its shell would. @throws Error for an unclosed quote */
export function splitCommand(command: string): string[] {
  if (isForCmd(command)) return splitForCmd(command.trim());
  return split(command.trim().replace(/\\\r?\n/g, " "));
}

/** Whether it is written for PowerShell, which has its own quoting and line continuation. */
export function isForPowerShell(command: string): boolean {
  return /^\s*(\$\w+\s*=|(invoke-(webrequest|restmethod)|iwr|irm)\b)/i.test(command) || /\s`\r?\n\s*-/.test(command);
}

/** Chrome's escape of `"` and other characters until 2023, also in words that it had not opened with `^"`. */
const strayCaret = /\^(\\\^"|[%@{}&])/;
/** `"{""a"":1}"`, as written by browsers until 2019 and by Firefox until 2022. */
const doubledQuote = /"[^"]*""[^"\s]/;

/** Whether it is written for cmd.exe, which only its quoting reveals. */
function isForCmd(command: string): boolean {
  const [first] = /['"]|\^["\r\n]/.exec(command) ?? [];
  if (first === "'" || /\\\r?\n/.test(command)) return false;
  if (first?.startsWith("^") || /\s\^\r?\n/.test(command)) return true;
  if (/\s\$?'/.test(command)) return false;
  return strayCaret.test(command) || doubledQuote.test(command) || /^\s*(\S*|"[^"]*)curl\.exe\b/i.test(command);
}

/** Parses first as cmd.exe reads a line, then as the Microsoft C runtime splits it into arguments. */
function splitForCmd(command: string): string[] {
  const [first] = /"|\^"/.exec(command) ?? [];
  const hasCarets = first === '^"' || strayCaret.test(command);
  // Browsers double every backslash; people only those before a quote.
  return splitLine(joinLines(command, hasCarets), hasCarets || doubledQuote.test(command));
}

/**
 * `^` escapes the next character, line breaks included; of two line breaks the second is kept.
 * @param everywhere also within quotes, where cmd.exe itself takes `^` literally
 */
function joinLines(command: string, everywhere: boolean): string {
  let isQuoted = false;
  return command.replace(/\^\r?\n(\r?\n)?|\^(.)|"|\r?\n/g, (found, secondEnd?: string, escaped?: string) => {
    const isStored = isQuoted && !everywhere;
    if (found === '"' || (isStored && escaped === '"')) isQuoted = !isQuoted;
    if (isStored || found === '"') return found;
    return found.startsWith("^") ? (escaped ?? (secondEnd ? "\n" : "")) : " ";
  });
}

/** A backslash escapes only before a quote, and two quotes within quotes are a literal one. */
function splitLine(line: string, hasDoubledBackslashes: boolean): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let isQuoted = false;
  let isTaken = false;
  const end = () => {
    if (word !== undefined) words.push(word);
    word = undefined;
  };
  for (const { 0: piece, index } of line.matchAll(/\\*"|\\+|[ \t]+|[^\\" \t]+/g)) {
    const isSecond = isTaken;
    isTaken = false;
    if (isSecond) continue;
    if (!isQuoted && /^[ \t]/.test(piece)) {
      end();
      continue;
    }
    word ??= "";
    if (!piece.endsWith('"')) {
      word += hasDoubledBackslashes ? piece.replace(/\\\\/g, "\\") : piece;
      continue;
    }
    const backslashes = piece.length - 1;
    word += "\\".repeat(Math.floor(backslashes / 2));
    isTaken = isQuoted && line[index + piece.length] === '"';
    if (backslashes % 2 === 1) {
      isTaken = false;
      word += '"';
    } else if (isTaken) word += '"';
    else isQuoted = !isQuoted;
  }
  if (isQuoted) throw new Error("a quote is not closed");
  end();
  return words;
}
