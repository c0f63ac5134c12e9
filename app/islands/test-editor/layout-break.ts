/** Minimum width for the response next to the form. */
export const sideBySide = "(min-width: 72rem)";
