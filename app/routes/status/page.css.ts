import { style } from "@vanilla-extract/css";
import { colour, space, text, weight } from "~/styles/tokens.css";

export const page = style({ marginInline: "auto", paddingInline: space.large, paddingBlock: space.section });

/** The owner's text with its line breaks. */
export const words = style({ whiteSpace: "pre-line", overflowWrap: "anywhere" });

export const incidents = style({ display: "grid", gap: space.small, paddingInlineStart: space.large });

export const small = style({ color: colour.inkSoft, fontSize: text.small });

export const day = style({ marginBlockEnd: space.small, fontSize: text.small, fontWeight: weight.strong });
