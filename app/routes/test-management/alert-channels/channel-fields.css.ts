import { style, styleVariants } from "@vanilla-extract/css";
import { channelKinds, chatKinds } from "#contracts/test-analyzer/alert-channels.ts";

/** Hides the fields of other kinds; a browser without `:has()` shows all, each under its kind's name. */
const hiddenWith = (...kinds: string[]) => ({
  selectors: {
    [`form:has(input[name="kind"]:is(${kinds.map((kind) => `[value="${kind}"]`).join(",")}):checked) &`]: {
      display: "none",
    },
  },
});

const groupKinds = {
  mail: ["mail"],
  webhook: ["webhook"],
  chat: [...chatKinds],
  telegram: ["telegram"],
  pagerDuty: ["pagerDuty"],
};

export const groups = styleVariants(groupKinds, (own: string[]) =>
  hiddenWith(...channelKinds.filter((kind) => !own.includes(kind))),
);

export const finder = style({ alignItems: "end" });
