/** Where a filtered list begins: target of the skip link. */
export const listId = "list";
