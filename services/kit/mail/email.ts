import { z } from "zod";

/** Recipient or reply address. The name is displayed before the address and can't add another one. */
const correspondent = z.object({ name: z.string().optional(), address: z.string() });
export type Correspondent = z.infer<typeof correspondent>;

export type Block =
  | { kind: "paragraph"; text: string }
  /** The call to action; the text part shows its address. */
  | { kind: "button"; name: string; href: string }
  /** A code such as six digits, in large type. */
  | { kind: "code"; code: string }
  /** Another user's words, with their line breaks. */
  | { kind: "quote"; text: string }
  /** Content for some readers only, and where it leads them. */
  | { kind: "note"; text: string; href?: string };

export type StateTone = "danger" | "warning" | "success" | "neutral";

/** What an email reports, for readers who see only its edge: the word says it without the colour, too. */
export interface EmailState {
  tone: StateTone;
  word: string;
}

export interface Email {
  to: Correspondent;
  /** Before the title, with a coloured edge. */
  state?: EmailState;
  replyTo?: Correspondent;
  subject: string;
  blocks: Block[];
  /** For emails to many: a POST there ends them (RFC 8058). */
  unsubscribeHref?: string;
}

const renderedEmail = z.object({
  to: correspondent,
  replyTo: correspondent.optional(),
  unsubscribeHref: z.string().optional(),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
});

/** An email ready for sending, as text and HTML. */
export type RenderedEmail = z.infer<typeof renderedEmail>;

/** Parses a stored email. */
export function parseEmail(text: string): RenderedEmail {
  return renderedEmail.parse(JSON.parse(text));
}

const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => escapes[sign] as string);
const lines = (text: string) => escaped(text).replace(/\r?\n/g, "<br>");
/** Restricts a subject to one line, whatever names it contains. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: removes control characters on purpose
const oneLine = (text: string) => text.replace(/[\u0000-\u001f\u007f]+/g, " ").trim();

function asText(block: Block): string {
  switch (block.kind) {
    case "button":
      return `${block.name}:\n${block.href}`;
    case "code":
      return `    ${block.code}`;
    case "quote":
      return block.text.replace(/^/gm, "> ");
    case "note":
      return block.href ? `${block.text}\n${block.href}` : block.text;
    default:
      return block.text;
  }
}

// Style sheets are unreliable in mail clients, so every element has inline styles; without a background the client's
// colours apply, which may be dark.
const quiet = "opacity:.75;font-size:14px";
const addressHtml = (href: string) => `<a href="${escaped(href)}" style="word-break:break-all">${escaped(href)}</a>`;

function asHtml(block: Block): string {
  switch (block.kind) {
    case "button":
      return `<p style="margin:24px 0"><a href="${escaped(block.href)}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#1d4ed8;color:#ffffff;font-weight:600;text-decoration:none">${escaped(block.name)}</a></p>
<p style="${quiet}">If the button does not work, open this address:<br>${addressHtml(block.href)}</p>`;
    case "code":
      return `<p style="margin:24px 0;font:600 30px/1.2 ui-monospace,Consolas,monospace;letter-spacing:.2em">${escaped(block.code)}</p>`;
    case "quote":
      return `<blockquote style="margin:16px 0;padding:4px 16px;border-left:3px solid #c8d0da">${lines(block.text)}</blockquote>`;
    case "note":
      return `<p style="${quiet}">${lines(block.text)}${block.href ? `<br>${addressHtml(block.href)}` : ""}</p>`;
    default:
      return `<p>${lines(block.text)}</p>`;
  }
}

const states: Record<StateTone, { colour: string; sign: string }> = {
  danger: { colour: "#c62828", sign: "✕" },
  warning: { colour: "#b26a00", sign: "!" },
  success: { colour: "#2e7d32", sign: "✓" },
  neutral: { colour: "#5c6470", sign: "•" },
};

const stateWords = ({ tone, word }: EmailState) => `${states[tone].sign} ${word}`;

/** The title. A table's cell is the only coloured bar that mail clients agree on; the words keep the client's colour. */
function titleHtml(title: string, state: EmailState | undefined): string {
  const heading = `<h1 style="font-size:22px;line-height:1.25;margin:${state ? "0" : "16px 0"}">${escaped(title)}</h1>`;
  if (!state) return heading;
  const { colour } = states[state.tone];
  return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:16px 0;border-collapse:collapse"><tr>
<td width="4" bgcolor="${colour}" style="width:4px;background:${colour};font-size:0">&nbsp;</td>
<td style="padding:2px 0 2px 14px"><p style="margin:0 0 4px;font-weight:700">${escaped(stateWords(state))}</p>
${heading}</td>
</tr></table>`;
}

/** Creates an email's text and HTML parts; user input is escaped. */
export function renderEmail({ to, replyTo, state, subject, blocks, unsubscribeHref }: Email): RenderedEmail {
  const title = oneLine(subject);
  return {
    to,
    ...(replyTo ? { replyTo } : {}),
    ...(unsubscribeHref ? { unsubscribeHref } : {}),
    subject: title,
    text: `${state ? `${stateWords(state)}\n${title}\n\n` : ""}${blocks.map(asText).join("\n\n")}\n\n-- \nAPI Assurance\n`,
    html: `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${escaped(title)}</title></head>
<body style="margin:0;padding:24px;font:16px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif">
<div style="max-width:560px;margin:0 auto">
<p style="font-weight:700">API Assurance</p>
${titleHtml(title, state)}
${blocks.map(asHtml).join("\n")}
</div></body></html>
`,
  };
}
