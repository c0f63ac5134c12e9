import type { StateCore, Token } from "markdown-it";

/** Unambiguous and without matches in the middle of a run, so that searching a text is linear. */
const address = /https?:\/\/[^\s<]+|www\.[^\s<]+|(?<![\w.+-])[\w.+-]{1,64}@[a-z\d-]+(?:\.[a-z\d-]+)+/gi;
const trailing = /[?!.,:;*_~'"]/;

/** Turns plain URLs and email addresses into links, as in GitHub's Markdown. */
export function linkBareAddresses(state: StateCore): void {
  for (const block of state.tokens) {
    if (!block.children || !/:\/\/|www\.|@/i.test(block.content)) continue;
    let linkDepth = 0;
    block.children = block.children.flatMap((token) => {
      if (token.type === "link_open" || /^<a[\s>]/i.test(token.content)) linkDepth += 1;
      if (token.type === "link_close" || /^<\/a/i.test(token.content)) linkDepth -= 1;
      return token.type === "text" && linkDepth === 0 ? linkWithin(token, state) : [token];
    });
  }
}

function linkWithin(token: Token, state: StateCore): Token[] {
  const parts: Token[] = [];
  let from = 0;
  const text = (content: string) => {
    if (content === "") return;
    const part = new state.Token("text", "", 0);
    part.content = content;
    parts.push(part);
  };
  for (const found of token.content.matchAll(address)) {
    const displayed = withoutTrailing(found[0]);
    text(token.content.slice(from, found.index));
    const open = new state.Token("link_open", "a", 1);
    open.attrs = [["href", state.md.normalizeLink(getHref(displayed))]];
    parts.push(open);
    text(displayed);
    parts.push(new state.Token("link_close", "a", -1));
    from = found.index + displayed.length;
  }
  text(token.content.slice(from));
  return parts;
}

function getHref(displayed: string): string {
  if (/^https?:/i.test(displayed)) return displayed;
  return /^www\./i.test(displayed) ? `http://${displayed}` : `mailto:${displayed}`;
}

/** Excludes the punctuation at the end of a sentence, and a closing bracket that was opened before the address. */
function withoutTrailing(found: string): string {
  let end = found.length;
  let unopened = 0;
  for (const character of found) {
    if (character === "(") unopened -= 1;
    else if (character === ")") unopened += 1;
  }
  for (; end > 0; end -= 1) {
    const last = found[end - 1]!;
    if (last === ")" && unopened > 0) unopened -= 1;
    else if (!trailing.test(last)) break;
  }
  return found.slice(0, end);
}
