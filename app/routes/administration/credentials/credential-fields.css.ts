import { style, styleVariants } from "@vanilla-extract/css";

const typeRadio = 'input[name="type"]';

/**
 * A group of fields leaves when another type is chosen. It takes no script, and a browser that does not know `:has()` drops the
 * rule and shows all groups, each under its type's name.
 */
const hiddenUnless = (...types: string[]) => ({
  selectors: {
    [`form:has(${typeRadio}:checked${types.map((type) => `:not([value="${type}"])`).join("")}) &`]: { display: "none" },
  },
});

export const groupOf = styleVariants({
  basic: hiddenUnless("basic", "digest"),
  bearer: hiddenUnless("bearer"),
  digest: hiddenUnless("digest"),
  apiKey: hiddenUnless("apiKey"),
  oauth2ClientCredentials: hiddenUnless("oauth2ClientCredentials"),
  mutualTls: hiddenUnless("mutualTls"),
  awsSignatureV4: hiddenUnless("awsSignatureV4"),
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
  digest: shownWith("digest"),
  mutualTls: shownWith("mutualTls"),
  awsSignatureV4: shownWith("awsSignatureV4"),
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
