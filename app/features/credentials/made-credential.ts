/** The parameter by which the address of a config's form receives the id of the credential created for it. */
export const madeCredential = "made";
