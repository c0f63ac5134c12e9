import { style, styleVariants } from "@vanilla-extract/css";

/** Hides the fields of other kinds; a browser without `:has()` shows all, each under its kind's name. */
const hiddenWith = (...kinds: string[]) => ({
  selectors: {
    [`form:has(input[name="kind"]:is(${kinds.map((kind) => `[value="${kind}"]`).join(",")}):checked) &`]: {
      display: "none",
    },
  },
});

const chats = ["slack", "teams", "discord", "googleChat"];

export const groups = styleVariants({
  mail: hiddenWith("webhook", ...chats),
  webhook: hiddenWith("mail", ...chats),
  chat: hiddenWith("mail", "webhook"),
});

export const finder = style({ alignItems: "end" });
