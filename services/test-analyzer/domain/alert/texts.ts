export const shortened = (text: string, max: number) => (text.length > max ? `${text.slice(0, max - 1)}…` : text);

const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/** For Slack's markup and for HTML. */
export const escaped = (text: string) => text.replace(/[&<>]/g, (sign) => escapes[sign]!);
