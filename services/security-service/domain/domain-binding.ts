/**
 * Where a secret may be sent. A credential's domain is a host name, prefixed with `*.` to include every subdomain and
 * followed by a port to limit it to that port.
 */

interface Location {
  name: string;
  port: string | undefined;
}

function getPlace(text: string): Location {
  const [, name, port] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(text.trim().toLowerCase()) ?? [];
  return { name: (name ?? "").replace(/\.$/, ""), port };
}

/** Host name and port of a credential's domain, without the `*.` of a wildcard. */
export function toBareName(domain: string): Location & { isWildcard: boolean } {
  const { name, port } = getPlace(domain);
  return { name: name.replace(/^\*\./, ""), port, isWildcard: name.startsWith("*.") };
}

function getParents(name: string): string[] {
  if (name.startsWith("[") || name.startsWith("*.") || /^[\d.]+$/.test(name)) return [];
  const labels = name.split(".");
  return labels.slice(1).map((_, index) => labels.slice(index + 1).join("."));
}

/**
 * Every spelling of a credential's domain that covers this host, most specific first, so that a lookup by equality is
 * enough. Names are never compared as suffixes (`evilexample.com` is not under `example.com`).
 * @param host host name, with the port when it is not the scheme's default
 */
export function domainsCovering(host: string): string[] {
  const { name, port } = getPlace(host);
  if (!name) return [];
  const names = [name, ...getParents(name).map((parent) => `*.${parent}`)];
  return names.flatMap((one) => (port ? [`${one}:${port}`, one] : [one]));
}

/** Why this can't be a credential's domain, as a message for the user; undefined when it can. */
export function findDomainError(domain: string): string | undefined {
  const { name, port } = getPlace(domain);
  if (port === "443" || port === "80") {
    return `Leave out :${port}: a host name without a port covers the usual ports`;
  }
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)) return "A port is a number from 1 to 65535";
  const bare = name.replace(/^\*\./, "");
  if (bare.length > 253 || (!bare.startsWith("[") && !bare.split(".").every((label) => /^[^.]{1,63}$/.test(label)))) {
    return "Enter a host name, e.g. api.example.com, with a port if it has one";
  }
  if (name.startsWith("*.") && (!bare.includes(".") || /^[\d.]+$/.test(bare))) {
    return "A wildcard needs a name with at least two parts, e.g. *.example.com";
  }
  return undefined;
}
