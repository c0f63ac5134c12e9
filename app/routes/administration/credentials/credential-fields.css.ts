import { style, styleVariants } from "@vanilla-extract/css";

const typeRadio = 'input[name="type"]';

/**
 * A group of fields leaves when another type is chosen. It takes no script, and a browser that does not know `:has()` drops the
 * rule and shows all groups, each under its type's name.
 */
const hiddenUnless = (type: string) => ({
  selectors: { [`form:has(${typeRadio}:checked:not([value="${type}"])) &`]: { display: "none" } },
});

export const groupOf = styleVariants({
  basic: hiddenUnless("basic"),
  apiKey: hiddenUnless("apiKey"),
  oauth2ClientCredentials: hiddenUnless("oauth2ClientCredentials"),
});

/** The secret's name follows the type too; where it can't, it is "Secret". */
const shownWith = (type: string) => ({
  display: "none",
  selectors: { [`form:has(${typeRadio}[value="${type}"]:checked) &`]: { display: "inline" } },
});

export const secretNameOf = styleVariants({
  basic: shownWith("basic"),
  bearer: shownWith("bearer"),
  apiKey: shownWith("apiKey"),
  oauth2ClientCredentials: shownWith("oauth2ClientCredentials"),
});

export const anySecretName = style({
  selectors: { [`form:has(${typeRadio}:checked) &`]: { display: "none" } },
});

/** Which type a group is for goes without saying while it is the only one there. */
export const groupName = style({
  selectors: {
    [`form:has(${typeRadio}:checked) &`]: {
      position: "absolute",
      width: 1,
      height: 1,
      overflow: "hidden",
      clipPath: "inset(50%)",
      whiteSpace: "nowrap",
    },
  },
});
