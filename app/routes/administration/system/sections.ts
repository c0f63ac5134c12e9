import { href } from "~/href";

/** The sections of the page, in tab order. Each has its own address; the page's address shows the first. */
export const sections = [
  { key: "services", label: "Services" },
  { key: "limits", label: "Test limits" },
  { key: "network", label: "Network" },
  { key: "retention", label: "Retention" },
  { key: "registration", label: "Registration" },
  { key: "mail", label: "Email" },
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
