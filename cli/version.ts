import packageFile from "../package.json" with { type: "json" };

/** The portal's; client and server of one version belong together. */
export const productVersion: string = packageFile.version;
