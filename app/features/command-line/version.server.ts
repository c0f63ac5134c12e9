import packageFile from "../../../package.json" with { type: "json" };

/** The portal's, and that of the command line it serves. */
export const productVersion: string = packageFile.version;
