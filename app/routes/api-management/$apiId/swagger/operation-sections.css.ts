import { globalStyle, style } from "@vanilla-extract/css";
import { colour, font, radius, space, text, weight } from "~/styles/tokens.css";

export const parameters = style({ display: "grid", gridTemplateColumns: "minmax(0, 1fr)" });

export const parameter = style({
  paddingBlock: space.medium,
  borderTop: `1px solid ${colour.line}`,
  selectors: { "&:first-child": { borderTop: 0, paddingTop: 0 } },
});

export const parameterName = style({ fontFamily: font.code, fontWeight: weight.strong, fontSize: text.small });

export const mark = style({ marginInlineStart: space.small, fontSize: text.small, color: colour.inkSoft });

export const required = style([mark, { color: colour.danger.ink }]);

export const note = style({ color: colour.inkSoft, fontSize: text.small });

export const title = style({ fontSize: text.body });

export const status = style({ fontFamily: font.code, fontWeight: weight.strong });

/** Aligned with the responses that unfold. */
export const plainResponse = style({
  display: "flex",
  flexWrap: "wrap",
  alignItems: "center",
  gap: space.small,
  padding: `${space.small} ${space.medium}`,
  paddingInlineStart: "2.25rem",
  border: `1px solid ${colour.line}`,
  borderRadius: radius.medium,
});

/** The first words of a response, next to its status. */
export const said = style({ fontWeight: weight.normal });
globalStyle(`${said} > *`, { display: "inline" });
