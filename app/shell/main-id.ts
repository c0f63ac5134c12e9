/** Where the skip link leads. */
export const mainId = "content";
