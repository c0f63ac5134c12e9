import { globalStyle, style } from "@vanilla-extract/css";
import { colour, measure, radius, space, text } from "~/styles/tokens.css";

export const prose = style({ maxWidth: measure.prose, lineHeight: 1.6, overflowWrap: "break-word" });

const inside = (selector: string, rule: Parameters<typeof globalStyle>[1]) =>
  globalStyle(`${prose} :where(${selector})`, rule);

inside("p, ul, ol, pre, table, blockquote", { marginBlock: `0 ${space.medium}` });
inside("h1, h2, h3, h4", { marginBlock: `${space.huge} ${space.small}` });
inside("h2", { fontSize: text.lead });
inside("ul", { paddingInlineStart: "1.25rem", listStyle: "disc" });
inside("ol", { paddingInlineStart: "1.5rem", listStyle: "decimal" });
inside("li + li", { marginTop: space.tiny });
inside("code", { padding: "0.1em 0.3em", background: colour.neutral.soft, borderRadius: radius.small });
inside("pre", { padding: space.medium, background: colour.sunken, borderRadius: radius.medium, overflowX: "auto" });
inside("pre code", { padding: 0, background: "none" });
inside("blockquote", {
  paddingInlineStart: space.large,
  borderInlineStart: `3px solid ${colour.line}`,
  color: colour.inkSoft,
});
inside("table", { display: "block", maxWidth: "100%", overflowX: "auto", fontSize: text.small });
inside("th, td", { padding: `${space.tiny} ${space.small}`, border: `1px solid ${colour.line}`, textAlign: "start" });
globalStyle(`${prose} > :first-child`, { marginTop: 0 });
globalStyle(`${prose} > :last-child`, { marginBottom: 0 });
