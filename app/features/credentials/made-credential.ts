/** Query parameter that carries the id of a new credential back to the form of its config. */
export const madeCredential = "made";
