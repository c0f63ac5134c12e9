const browsers: [pattern: RegExp, name: string][] = [
  // The order matters: every browser claims to be Chrome and Safari, so the specific names are tested first.
  [/\bEdgA?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(Firefox|FxiOS)\//, "Firefox"],
  [/\b(HeadlessChrome|Chrome|CriOS|Chromium)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];

const systems: [pattern: RegExp, name: string][] = [
  [/\bAndroid\b/, "Android"],
  [/\b(iPhone|iPad|iPod)\b/, "iOS"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b/, "macOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"],
];

const nameIn = (known: typeof browsers, userAgent: string) => known.find(([pattern]) => pattern.test(userAgent))?.[1];

/** A user agent in familiar words: `Firefox on Windows`, or its first word if it is no browser. */
export function describeBrowser(userAgent: string): string {
  const browser = nameIn(browsers, userAgent) ?? userAgent.split(/[\s/]/)[0]?.slice(0, 40);
  if (!browser) return "Unknown";
  const system = nameIn(systems, userAgent);
  return system ? `${browser} on ${system}` : browser;
}
