import { href } from "~/href";

/** The parts of the page, in the order of its tabs. Each has an address of its own; the first is the page's. */
export const sections = [
  { key: "services", label: "Services" },
  { key: "limits", label: "Test limits" },
  { key: "network", label: "Network" },
  { key: "retention", label: "Retention" },
  { key: "registration", label: "Registration" },
  { key: "mail", label: "Mail" },
  { key: "changes", label: "Changes" },
] as const;
export type Section = (typeof sections)[number]["key"];

/** The section that an address names; the first for any other. */
export function readSection(search: URLSearchParams): Section {
  return sections.find(({ key }) => key === search.get("section"))?.key ?? "services";
}

export function sectionAddress(section: Section): string {
  return href("/administration/system-configuration", { section: section === "services" ? undefined : section });
}
