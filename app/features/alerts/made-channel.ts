/** In the address of a rule's page: the channel that was made for it. */
export const madeChannel = "made";
