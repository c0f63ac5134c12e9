/** What calls of an agent use of undici, by its files: proxies as the environment names them. */

import connect from "undici/lib/api/api-connect.js";
import request from "undici/lib/api/api-request.js";
import Dispatcher from "undici/lib/dispatcher/dispatcher.js";
import EnvHttpProxyAgent from "undici/lib/dispatcher/env-http-proxy-agent.js";

// As the package's entry does, with all that it has. A proxy is connected to by the first.
Object.assign(Dispatcher.prototype, { connect, request });

export { EnvHttpProxyAgent };
