/** From here on the response stands beside the form. */
export const sideBySide = "(min-width: 72rem)";
