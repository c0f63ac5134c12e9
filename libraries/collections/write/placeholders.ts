import { placeholderPattern } from "../../template/placeholders.ts";

/** A piece of a text: literal characters, or the name of a variable. */
export type Piece = { literal: string } | { variable: string };

/** The literal texts and variables of a text, in order. */
export function splitText(text: string): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const match of text.matchAll(placeholderPattern())) {
    if (match.index > from) pieces.push({ literal: text.slice(from, match.index) });
    pieces.push({ variable: match[1]! });
    from = match.index + match[0].length;
  }
  if (from < text.length) pieces.push({ literal: text.slice(from) });
  return pieces;
}

/** The text with its variables and its literal parts written in another syntax. */
export function rewrite(
  text: string,
  writeVariable: (name: string) => string,
  writeLiteral: (literal: string) => string = (literal) => literal,
): string {
  return splitText(text)
    .map((piece) => ("variable" in piece ? writeVariable(piece.variable) : writeLiteral(piece.literal)))
    .join("");
}

/** The variable of a text that is nothing but one placeholder. */
export function findOnlyVariable(text: string): string | undefined {
  const pieces = splitText(text.trim());
  const [first] = pieces;
  return pieces.length === 1 && first && "variable" in first ? first.variable : undefined;
}

/** The distinct variables of texts, generated ones (`$uuid`) included. */
export function listVariables(texts: readonly string[]): string[] {
  const names = texts.flatMap((text) =>
    splitText(text).flatMap((piece) => ("variable" in piece ? [piece.variable] : [])),
  );
  return [...new Set(names)];
}
