/**
 * What egress uses of undici, by its files: the package's entry also brings its fetch, mocks and proxies, which would be
 * a fifth of the bundle.
 */

import errors from "undici/lib/core/errors.js";
import Client from "undici/lib/dispatcher/client.js";

export { Client, errors };
