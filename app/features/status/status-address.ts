import { href } from "~/href";

/** Prefix of the name in every status page's address. */
export const beforeStatusName = href("/status/:address", { address: "-" }).slice(0, -1);
