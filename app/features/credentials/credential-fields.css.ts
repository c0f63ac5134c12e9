import { style, styleVariants } from "@vanilla-extract/css";

const typeRadio = 'input[name="type"]';

/**
 * Hides the groups of the types that are not chosen. Needs no script; a browser without `:has()` drops the rule and
 * shows all groups, each under its type's name.
 */
const hiddenUnless = (...types: string[]) => ({
  selectors: {
    [`form:has(${typeRadio}:checked${types.map((type) => `:not([value="${type}"])`).join("")}) &`]: { display: "none" },
  },
});

export const groups = styleVariants({
  basic: hiddenUnless("basic", "digest"),
  bearer: hiddenUnless("bearer"),
  digest: hiddenUnless("digest"),
  apiKey: hiddenUnless("apiKey"),
  oauth2ClientCredentials: hiddenUnless("oauth2ClientCredentials"),
  mutualTls: hiddenUnless("mutualTls"),
  awsSignatureV4: hiddenUnless("awsSignatureV4"),
});

/** The secret's label follows the type too; without `:has()` it is "Secret". */
const shownWith = (type: string) => ({
  display: "none",
  selectors: { [`form:has(${typeRadio}[value="${type}"]:checked) &`]: { display: "inline" } },
});

export const secretNames = styleVariants({
  basic: shownWith("basic"),
  bearer: shownWith("bearer"),
  apiKey: shownWith("apiKey"),
  oauth2ClientCredentials: shownWith("oauth2ClientCredentials"),
  digest: shownWith("digest"),
  mutualTls: shownWith("mutualTls"),
  awsSignatureV4: shownWith("awsSignatureV4"),
});

export const anySecretName = style({
  selectors: { [`form:has(${typeRadio}:checked) &`]: { display: "none" } },
});

/** The type's name is redundant while only its group is visible. */
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
